import { Type, type Static } from "@sinclair/typebox";
import { OneOf } from "./enums.ts";
import { ENVELOPE_VERSION } from "./envelope-versions.ts";

/** Encoded bytes, never prose. */
export const CIPHERTEXT_PATTERN = "^[A-Za-z0-9+/_.=-]+$";

export const Envelope = Type.Object(
  {
    version: Type.Literal(ENVELOPE_VERSION, { description: "The version of the envelope format." }),
    ciphertext: Type.String({
      minLength: 1,
      pattern: CIPHERTEXT_PATTERN,
      description: "Encoded ciphertext; the clients of this project write unpadded base64url of a binary age v1 file.",
    }),
  },
  {
    $id: "Envelope",
    additionalProperties: false,
    description: "What a client made by encrypting, and all that the server ever holds of a secret.",
    examples: [{ version: 1, ciphertext: "fake-local-test-only" }],
  },
);
export type Envelope = Static<typeof Envelope>;

export const CiphertextFormat = OneOf(["age", "unrecognized"], {
  description:
    "Whether the ciphertext has the shape of an age v1 file. That proves shape, not secrecy: the server holds no key.",
});
export type CiphertextFormat = Static<typeof CiphertextFormat>;

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
