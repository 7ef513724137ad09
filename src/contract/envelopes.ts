import { Kind, Type, TypeRegistry } from "@sinclair/typebox";
import type { Static, TSchema, TUnsafe } from "@sinclair/typebox";
import { isCiphertext, LargeCiphertext } from "./ciphertexts.ts";
import type { IncomingCiphertext } from "./ciphertexts.ts";
import { ENVELOPE_VERSION } from "./envelope-versions.ts";
import { OneOf } from "./fields.ts";
import { CIPHERTEXT_PATTERN } from "./patterns.ts";
import { CIPHERTEXT_FORMATS } from "./states.ts";

const CIPHERTEXT_KIND = "Ciphertext";
TypeRegistry.Set(CIPHERTEXT_KIND, (_schema, value) => isIncoming(value) && isCiphertext(value));

function isIncoming(value: unknown): value is IncomingCiphertext {
  return typeof value === "string" || value instanceof LargeCiphertext;
}

/** A ciphertext on its way in. A kind of its own, because a pattern takes milliseconds to go through a large one. */
const Ciphertext: TUnsafe<IncomingCiphertext> = Type.Unsafe<IncomingCiphertext>({
  [Kind]: CIPHERTEXT_KIND,
  type: "string",
  minLength: 1,
  pattern: CIPHERTEXT_PATTERN,
  description: "Encoded ciphertext; the clients of this project write unpadded base64url of a binary age v1 file.",
});

/** A ciphertext on its way out: the store has looked at it when it was read. */
const StoredCiphertext = Type.String({ description: Ciphertext.description ?? "" });

const EnvelopeNamed = <T extends TSchema>($id: string, ciphertext: T, description: string) =>
  Type.Object(
    { version: Type.Literal(ENVELOPE_VERSION, { description: "The version of the envelope format." }), ciphertext },
    { $id, additionalProperties: false, description, examples: [{ version: 1, ciphertext: "fake-local-test-only" }] },
  );

export const Envelope = EnvelopeNamed(
  "Envelope",
  Ciphertext,
  "What a client made by encrypting, and all that the server ever holds of a secret.",
);
/** An envelope as clients have it. */
export type Envelope = Static<typeof StoredEnvelope>;
/** An envelope on its way into the database. */
export type IncomingEnvelope = Static<typeof Envelope>;

/** The note of a request on its way in; how long it may be is checked where every envelope is. */
export const NoteEnvelope = EnvelopeNamed("NoteEnvelope", Ciphertext, "The sealed note of a request.");

/** An envelope on its way out. */
export const StoredEnvelope = EnvelopeNamed("StoredEnvelope", StoredCiphertext, "An envelope, as it was stored.");

export const CiphertextFormat = OneOf(CIPHERTEXT_FORMATS, {
  title: "CiphertextFormat",
  description:
    "Whether the ciphertext has the shape of an age v1 file. That proves shape, not secrecy: the server holds no key.",
});

/** Member names that show that somebody is about to send plaintext; the only foreign names an error may repeat. */
export const TELL_TALE_MEMBERS: readonly string[] = [
  "plaintext",
  "secret",
  "password",
  "passphrase",
  "text",
  "message",
  "content",
  "data",
  "value",
  "file",
  "filename",
  "note",
  "title",
  "description",
  "key",
];
