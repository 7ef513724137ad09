import { isoBase64URL, isoCBOR } from "@simplewebauthn/server/helpers";

/** What an answer has that is wrong, or otherwise than usual. */
export interface Deviation {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly challenge?: string;
  /** True for a page inside one of another origin. */
  readonly crossOrigin?: boolean;
  /** Without "verified", nobody has shown that it is them. */
  readonly isVerified?: boolean;
  readonly counter?: number;
  readonly userHandle?: string | undefined;
  /** Another key signs. */
  readonly isForged?: boolean;
  /** Attestation: its format and statement, as CBOR has them. */
  readonly attestation?: { readonly format: string; readonly statement: Map<string, unknown> };
}

/** The parts of a browser's options that an authenticator uses. */
export interface Options {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
  readonly user?: { readonly id: string };
}

const [UP, UV, BACKED_UP, HAS_CREDENTIAL] = [0x01, 0x04, 0x18, 0x40];
const ES256 = { name: "ECDSA", namedCurve: "P-256" } as const;

/** An authenticator with one passkey (WebAuthn Level 3, section 6), and the browser at `origin` before it. */
export async function createAuthenticator(origin: string) {
  const keys = await crypto.subtle.generateKey(ES256, true, ["sign"]);
  const other = await crypto.subtle.generateKey(ES256, true, ["sign"]);
  const id = crypto.getRandomValues(new Uint8Array(16));
  const credentialId = isoBase64URL.fromBuffer(id);
  let counter = 0;
  let user: string | undefined;

  const clientData = (type: string, { challenge }: Options, deviation: Deviation) => {
    const data = {
      type,
      challenge,
      origin,
      crossOrigin: false,
      ...pick(deviation, "origin", "type", "challenge", "crossOrigin"),
    };
    return new TextEncoder().encode(JSON.stringify(data));
  };
  const authenticatorData = async (rpId: string, flags: number, deviation: Deviation, rest = new Uint8Array()) => {
    const hash = new Uint8Array(
      await crypto.subtle.digest("SHA-256", new TextEncoder().encode(deviation.rpId ?? rpId)),
    );
    const header = new DataView(new ArrayBuffer(5));
    header.setUint8(0, flags | UP | BACKED_UP | (deviation.isVerified === false ? 0 : UV));
    header.setUint32(1, deviation.counter ?? counter);
    return Buffer.concat([hash, new Uint8Array(header.buffer), rest]);
  };

  return {
    credentialId,
    /** The signature counter of the next answers; 0 at first, for an authenticator that has none. */
    count(next: number) {
      counter = next;
    },
    /** The answer to `navigator.credentials.create`, as JSON. */
    async create(options: Options, deviation: Deviation = {}) {
      user = options.user?.id;
      const { x = "", y = "" } = await crypto.subtle.exportKey("jwk", keys.publicKey);
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, isoBase64URL.toBuffer(x)],
        [-3, isoBase64URL.toBuffer(y)],
      ]);
      const length = Uint8Array.of(id.length >> 8, id.length & 0xff);
      const credential = Buffer.concat([new Uint8Array(16), length, id, isoCBOR.encode(key)]);
      const { format = "none", statement = new Map() } = deviation.attestation ?? {};
      const attestation = isoCBOR.encode(
        new Map<string, unknown>([
          ["fmt", format],
          ["attStmt", statement],
          [
            "authData",
            new Uint8Array(await authenticatorData(options.rp?.id ?? "", HAS_CREDENTIAL, deviation, credential)),
          ],
        ]) as never,
      );
      return {
        id: credentialId,
        rawId: credentialId,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: isoBase64URL.fromBuffer(clientData("webauthn.create", options, deviation)),
          attestationObject: isoBase64URL.fromBuffer(attestation),
          transports: ["internal", "made-up"],
        },
      };
    },
    /** The answer to `navigator.credentials.get`, as JSON. */
    async get(options: Options, deviation: Deviation = {}) {
      const data = await authenticatorData(options.rpId ?? "", 0, deviation);
      const client = clientData("webauthn.get", options, deviation);
      const signed = Buffer.concat([data, new Uint8Array(await crypto.subtle.digest("SHA-256", client))]);
      const signer = (deviation.isForged ? other : keys).privateKey;
      const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, signer, signed);
      return {
        id: credentialId,
        rawId: credentialId,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: isoBase64URL.fromBuffer(client),
          authenticatorData: isoBase64URL.fromBuffer(new Uint8Array(data)),
          signature: isoBase64URL.fromBuffer(toDer(new Uint8Array(signature))),
          userHandle: "userHandle" in deviation ? deviation.userHandle : user,
        },
      };
    },
  };
}

/** An ECDSA signature as authenticators write it (RFC 3279, section 2.2.3); WebCrypto has both numbers side by side. */
function toDer(signature: Uint8Array): Uint8Array<ArrayBuffer> {
  const half = signature.length / 2;
  const numbers = [signature.slice(0, half), signature.slice(half)].map((number) => {
    const start = number.findIndex((byte) => byte !== 0);
    const short = number.slice(start < 0 ? half - 1 : start);
    const body = (short[0] ?? 0) & 0x80 ? Uint8Array.of(0, ...short) : short;
    return Uint8Array.of(0x02, body.length, ...body);
  });
  const body = numbers.flatMap((number) => [...number]);
  return Uint8Array.of(0x30, body.length, ...body);
}

function pick<T extends object, K extends keyof T>(from: T, ...names: readonly K[]): Partial<Pick<T, K>> {
  return Object.fromEntries(
    names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]),
  ) as never;
}
