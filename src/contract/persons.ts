import { Type } from "@sinclair/typebox";
import type { Static } from "@sinclair/typebox";
import { Closed, Id, LanguageTag, MailAddress, NoQuery, Nullable, OneOf, Timestamp } from "./fields.ts";
import type { PathSchema } from "./fields.ts";
import { exampleId, idPattern } from "./ids.ts";
import { MAX_MACHINE_LENGTH } from "./limits.ts";
import { SESSION_WAYS } from "./states.ts";
import { encodeToken, TOKEN_ENTROPY_BYTES } from "./tokens.ts";

/** The schema of a person as the server knows them. `description` says their role. */
export function PersonAs(description: string) {
  return Closed(
    {
      name: Nullable(Type.String({ description: "The name as an admin wrote it; null for none." })),
      address: Type.String({ description: "The address under which they were added, such as ann@example.com." }),
      team: Type.String({ description: "The name of their team." }),
    },
    {
      description,
      examples: [{ name: "Ann Lee", address: "ann@example.com", team: "platform" }],
    },
  );
}

/** A person as the server knows them. */
export type Person = Static<ReturnType<typeof PersonAs>>;

/** One session of the page, as its person sees it. */
export const Session = Closed(
  {
    id: Id("session", "The id of the session."),
    way: OneOf(SESSION_WAYS, { title: "SessionWay", description: "How it began." }),
    browser: Nullable(
      Type.String({ description: "The browser, as it called itself, such as Firefox; null if unknown." }),
    ),
    system: Nullable(Type.String({ description: "Its operating system, such as Windows; null if unknown." })),
    created_at: Timestamp("When it began."),
    last_used_at: Timestamp("When it was last used, to the minute."),
    expires_at: Timestamp("When it ends, if it isn't unused for too long before."),
    is_current: Type.Boolean({ description: "True for the session of this call." }),
  },
  { $id: "Session", description: "A session of the page." },
);
export type Session = Static<typeof Session>;

/** The sessions of a person. */
export const SessionList = Closed({ data: Type.Array(Session, { description: "The last used first." }) });
export type SessionList = Static<typeof SessionList>;

/** One passkey, as its person sees it. */
export const Passkey = Closed(
  {
    id: Id("passkey", "The id of the passkey."),
    browser: Nullable(Type.String({ description: "The browser that added it, as it called itself; null if unknown." })),
    system: Nullable(Type.String({ description: "The operating system of that browser; null if unknown." })),
    created_at: Timestamp("When it was added."),
    last_used_at: Nullable(Timestamp("When it last signed its person in; null for never.")),
  },
  { $id: "Passkey", description: "A passkey of a person." },
);
export type Passkey = Static<typeof Passkey>;

/** The passkeys of a person. */
export const PasskeyList = Closed({ data: Type.Array(Passkey, { description: "Oldest first." }) });
export type PasskeyList = Static<typeof PasskeyList>;

/** The options for the browser's authenticator, as WebAuthn writes them in JSON. */
export const PasskeyOptions = Closed({ options: Type.Object({}) });
export type PasskeyOptions = Static<typeof PasskeyOptions>;

/** The body of adding a passkey: the authenticator's answer, as WebAuthn writes it in JSON, and a reader's language. */
export const PasskeyBody = Closed({ passkey: Type.Object({}), language: Type.Optional(LanguageTag) });
export type PasskeyBody = Static<typeof PasskeyBody>;

/** The mails that a person wants, contract section 15. */
export const Notices = Closed(
  {
    opened: Type.Boolean({ description: "When something that they sent was opened." }),
    ending: Type.Boolean({ description: "A day before it ends, when nobody has opened it." }),
    handed_in: Type.Boolean({ description: "When somebody handed in what they asked for." }),
    asked: Type.Boolean({ description: "When somebody waits for their approval." }),
  },
  { $id: "Notices", description: "The mails that a person wants." },
);
export type Notices = Static<typeof Notices>;

/** The body of changing them: the switches to change, and where the person reads. */
export const NoticesBody = Closed({
  opened: Type.Optional(Type.Boolean()),
  ending: Type.Optional(Type.Boolean()),
  handed_in: Type.Optional(Type.Boolean()),
  asked: Type.Optional(Type.Boolean()),
  language: LanguageTag,
  time_zone: Type.String({ minLength: 1, maxLength: 100, pattern: "^[A-Za-z0-9_+/-]+$" }),
});
export type NoticesBody = Static<typeof NoticesBody>;

/** The body that begins a login: what the terminal's machine calls itself. */
export const LoginBody = Closed({ machine: Type.String({ minLength: 1, maxLength: MAX_MACHINE_LENGTH }) });

/** A login that has begun, with the members of RFC 8628, section 3.2. */
export const BegunLogin = Closed({
  device_code: Type.String({ description: "What the terminal asks with." }),
  user_code: Type.String({ description: "What the person types: `BCDF-GHJK`." }),
  verification_uri: Type.String({ description: "Where they type it." }),
  verification_uri_complete: Type.String({ description: "The same with the code in its fragment." }),
  expires_in: Type.Integer({ description: "Seconds." }),
  interval: Type.Integer({ description: "The least seconds between two questions." }),
});
export type BegunLogin = Static<typeof BegunLogin>;

export const LoginPoll = Closed({ device_code: Type.String({ minLength: 1, maxLength: 100 }) });

/** The answer to a terminal that asks. */
export const LoginAnswer = Closed({
  state: OneOf(["pending", "approved", "refused"], { title: "LoginState", description: "What the person decided." }),
  api_key: Nullable(Type.String({ description: "The terminal's key, once: null unless it was approved." })),
  expires_at: Nullable(Timestamp("When the key ends, at the latest.")),
});
export type LoginAnswer = Static<typeof LoginAnswer>;

/** A terminal that waits, as the person sees it who may let it in. */
export const PendingLogin = Closed({
  machine: Type.String({ description: "What the terminal's machine calls itself." }),
  address: Nullable(Type.String({ description: "The address that it calls from; null if unknown." })),
  created_at: Timestamp("When it began to wait."),
});
export type PendingLogin = Static<typeof PendingLogin>;

export const PROOF_TOKEN_EXAMPLE = encodeToken("proof", new Uint8Array(TOKEN_ENTROPY_BYTES));

const ProofToken = (description: string) =>
  Type.String({ maxLength: 100, description, examples: [PROOF_TOKEN_EXAMPLE] });

/** The body of beginning a proof: the address, and the reader's language (BCP 47). */
export const ProofBody = Closed(
  { address: MailAddress, language: LanguageTag },
  {
    $id: "ProofBody",
    description:
      "The address to prove. A code is mailed there in this language (BCP 47), if it is among the chosen ones.",
    examples: [{ address: "ann@example.com", language: "en" }],
  },
);
export type ProofBody = Static<typeof ProofBody>;

/** A proof that has begun, the same for every address. */
export const BegunProof = Closed(
  {
    proof_token: ProofToken("It is worth nothing without the code."),
    expires_at: Timestamp("The end of the time in which the code works."),
  },
  {
    $id: "BegunProof",
    description: "A proof that waits for the code.",
    examples: [{ proof_token: PROOF_TOKEN_EXAMPLE, expires_at: "2026-11-21T09:40:00.000Z" }],
  },
);
export type BegunProof = Static<typeof BegunProof>;

/** The body of completing a proof. */
export const ProofCodeBody = Closed(
  {
    proof_token: ProofToken("The token of the proof."),
    code: Type.String({ pattern: "^[0-9]{8}$", description: "The code from the mail." }),
  },
  {
    $id: "ProofCodeBody",
    description: "A proof, and the code that was mailed for it.",
    examples: [{ proof_token: PROOF_TOKEN_EXAMPLE, code: "00000000" }],
  },
);
export type ProofCodeBody = Static<typeof ProofCodeBody>;

/** The body of a proof by a session: the secret or the request of the link. */
export const OwnProofBody = Closed(
  { subject_id: Type.String({ pattern: `^${idPattern("secret", "request")}$`, description: "The ID in the link." }) },
  {
    $id: "OwnProofBody",
    description: "The secret or the request that the proof is for.",
    examples: [{ subject_id: exampleId("secret") }],
  },
);
export type OwnProofBody = Static<typeof OwnProofBody>;

/** A proof that is complete. */
export const Proof = Closed(
  {
    proof_token: ProofToken("Send it as Handoff-Proof."),
    address: Type.String({ description: "The address that is proven." }),
    expires_at: Timestamp("When it ends."),
  },
  {
    $id: "Proof",
    description: "The proof of an address, for one link.",
    examples: [
      { proof_token: PROOF_TOKEN_EXAMPLE, address: "ann@example.com", expires_at: "2026-11-21T09:50:00.000Z" },
    ],
  },
);
export type Proof = Static<typeof Proof>;

/** The record of the operation that begins a proof, the same for secrets and requests. */
export function proofBegun<Path extends PathSchema>(kind: "secret" | "request", params: Path) {
  return {
    tag: kind === "secret" ? "Secrets" : "Requests",
    summary: "Ask for a code by mail",
    description: `Begins the proof of an address, for a ${kind} that is for chosen people. A code is mailed there if the address is one of them. The answer is the same for every address. The proof can't be repeated by an \`Idempotency-Key\`.`,
    params,
    query: NoQuery,
    body: ProofBody,
    isUnrepeatable: true,
    success: { status: 202, schema: BegunProof },
  } as const;
}

/** The record of the operation that completes one. */
export function proofCompleted<Path extends PathSchema>(kind: "secret" | "request", params: Path) {
  return {
    tag: kind === "secret" ? "Secrets" : "Requests",
    summary: "Prove an address with a code",
    description: `Completes a proof with the code from the mail. It counts for this ${kind}, for ten minutes. The fifth wrong code ends the proof.`,
    params,
    query: NoQuery,
    body: ProofCodeBody,
    isUnrepeatable: true,
    success: { status: 200, schema: Proof },
  } as const;
}
