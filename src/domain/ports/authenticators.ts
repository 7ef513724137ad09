/** The origin that passkeys belong to (WebAuthn, "relying party"). */
export interface RelyingParty {
  /** The host name, such as `handoff.example`. */
  readonly id: string;
  /** The origin of the page, such as `https://handoff.example`. */
  readonly origin: string;
  /** The name that a browser shows when it asks. */
  readonly name: string;
}

/** A passkey as its authenticator made it. */
interface NewCredential {
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** Makes options for a browser's authenticator, and verifies its answers (WebAuthn Level 3). Calls nobody. */
export interface Authenticators {
  /** The options for `navigator.credentials.create`, as JSON. */
  creationOptions(input: {
    readonly party: RelyingParty;
    readonly challenge: string;
    readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
    /** The passkeys that the person has already. */
    readonly known: readonly Pick<NewCredential, "credentialId" | "transports">[];
  }): Promise<object>;
  /** The options for `navigator.credentials.get`, as JSON. */
  requestOptions(input: { readonly party: RelyingParty; readonly challenge: string }): Promise<object>;
  /** Verifies the answer to `creationOptions`; undefined when it proves nothing. */
  verifyCreation(answer: unknown, input: Expected): Promise<NewCredential | undefined>;
  /** The name of the passkey that an answer to `requestOptions` is by; undefined when it names none. */
  credentialIdOf(answer: unknown): string | undefined;
  /** Verifies the answer to `requestOptions`, and returns its signature counter; undefined when it proves nothing. */
  verifyRequest(
    answer: unknown,
    input: Expected & {
      readonly passkey: Pick<NewCredential, "credentialId" | "publicKey">;
      /** The id of its person, which the authenticator has to name too. */
      readonly userId: string;
    },
  ): Promise<{ readonly counter: number } | undefined>;
}

interface Expected {
  readonly party: RelyingParty;
  readonly challenge: string;
}
