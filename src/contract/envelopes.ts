import { Kind, Type, TypeRegistry } from "@sinclair/typebox";
import type { Static, TSchema, TUnsafe } from "@sinclair/typebox";
import { isCiphertext, LargeCiphertext } from "./ciphertexts.ts";
import type { IncomingCiphertext } from "./ciphertexts.ts";
import { Closed, OneOf } from "./fields.ts";
import { CIPHERTEXT_PATTERN } from "./patterns.ts";
import { CIPHERTEXT_FORMATS, ENVELOPE_VERSION } from "./states.ts";

const CIPHERTEXT_KIND = "Ciphertext";
TypeRegistry.Set(CIPHERTEXT_KIND, (_schema, value) => isIncoming(value) && isCiphertext(value));

function isIncoming(value: unknown): value is IncomingCiphertext {
  return typeof value === "string" || value instanceof LargeCiphertext;
}

/** An incoming ciphertext. It has its own kind, because a pattern takes milliseconds to match a large one. */
const Ciphertext: TUnsafe<IncomingCiphertext> = Type.Unsafe<IncomingCiphertext>({
  [Kind]: CIPHERTEXT_KIND,
  type: "string",
  minLength: 1,
  pattern: CIPHERTEXT_PATTERN,
  description: "Encoded ciphertext; the clients of this project write unpadded base64url of a binary age v1 file.",
});

/** An outgoing ciphertext, which was checked when it was stored. */
const StoredCiphertext = Type.String({ description: Ciphertext.description ?? "" });

const EnvelopeNamed = <T extends TSchema>($id: string, ciphertext: T, description: string) =>
  Closed(
    { version: Type.Literal(ENVELOPE_VERSION, { description: "The version of the envelope format." }), ciphertext },
    { $id, description, examples: [{ version: 1, ciphertext: "fake-local-test-only" }] },
  );

export const Envelope = EnvelopeNamed(
  "Envelope",
  Ciphertext,
  "The output of a client's encryption. The server never has more of a secret.",
);
/** An envelope in a client. */
export type Envelope = Static<typeof StoredEnvelope>;
/** An incoming envelope. */
export type IncomingEnvelope = Static<typeof Envelope>;

/** The incoming note of a request. Its length is checked with that of every envelope. */
export const NoteEnvelope = EnvelopeNamed("NoteEnvelope", Ciphertext, "The sealed note of a request.");

/** An outgoing envelope. */
export const StoredEnvelope = EnvelopeNamed("StoredEnvelope", StoredCiphertext, "An envelope, as it was stored.");

export const CiphertextFormat = OneOf(CIPHERTEXT_FORMATS, {
  title: "CiphertextFormat",
  description:
    "Whether the ciphertext has the shape of an age v1 file. That proves shape, not secrecy: the server holds no key.",
});

/** Member names of clients that send plaintext by mistake. Errors may quote these names, and no other unknown ones. */
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
