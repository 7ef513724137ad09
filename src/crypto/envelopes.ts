import { Decrypter, Encrypter } from "age-encryption";
import type { Envelope } from "../contract/envelopes.ts";
import { ENVELOPE_VERSION } from "../contract/states.ts";
import { UserError } from "../contract/user-errors.ts";
import { decodeBase64url, encodeBase64url, withoutPadding } from "./base64url.ts";

/** The scrypt work factor for passphrases derived from a link. They have 128 bits, so stretching adds nothing. */
export const LINK_WORK_FACTOR = 10;
/**
 * The scrypt work factor for passphrases that people choose, and the highest that is opened: a hostile envelope could
 * have a higher one to block the machine.
 */
export const PASSPHRASE_WORK_FACTOR = 17;

// The header of age's scrypt recipient (C2SP age.md), whose stanza is the only one of its file.
const SCRYPT_HEADER = /^age-encryption\.org\/v1\n-> scrypt [^ \n]+ (\d+)\n/;
const SCRYPT_HEADER_BYTES = 128;
const HEADER_START = "age-encryption.org/v1\n-> ";
export const HEADER_END = "\n--- ";
/** The stanzas that a passphrase opens, and those that identities of requests open. */
export const PASSPHRASE_STANZAS: readonly string[] = ["scrypt"];
export const IDENTITY_STANZAS: readonly string[] = ["X25519", "mlkem768x25519"];
// Room for forty hybrid recipients. Each stanza costs a key exchange, and a file of nothing else would take minutes.
export const MAX_HEADER_BYTES = 64 * 1024;

/** A ciphertext couldn't be decrypted. The message never says which part was wrong. */
export class DecryptionError extends UserError {
  override readonly name = "DecryptionError";

  constructor() {
    super(
      "decryption",
      "This cannot be decrypted: the link, passphrase or key does not belong to it, or it has been changed.",
    );
  }
}

/**
 * The reason to refuse a ciphertext without trying to decrypt it, which can be seen without a key: an unknown version,
 * a header that would take too long, or encryption to something else than a link or a request's key.
 */
export type EnvelopeRefusal = "version_unknown" | "settings_refused" | "encrypted_otherwise";

const REFUSALS: Readonly<Record<EnvelopeRefusal, string>> = {
  version_unknown:
    "This secret has a format that this version of handoff doesn't know. Update handoff, then try again.",
  settings_refused:
    "This secret was encrypted with settings that handoff refuses, because opening it could take very long: a work factor above 17, as of 'age --passphrase', or very many recipients. Ask for it to be sent again with handoff.",
  encrypted_otherwise:
    "This secret was encrypted to something else than this link or request, so no key here opens it. Ask for it to be sent again.",
};

/** A ciphertext was refused without being tried, whatever the link, passphrase or key. */
export class EnvelopeRefusedError extends UserError {
  override readonly name = "EnvelopeRefusedError";
  declare readonly code: EnvelopeRefusal;

  constructor(refusal: EnvelopeRefusal) {
    super("decryption", REFUSALS[refusal], { code: refusal });
  }
}

/** Encrypts with a passphrase at scrypt work factor `workFactor`. */
export async function sealWithPassphrase(bytes: Uint8Array, passphrase: string, workFactor: number): Promise<Envelope> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(workFactor);
  return toEnvelope(await encrypter.encrypt(bytes));
}

/** Encrypts to an age recipient. Throws an Error when it isn't valid. */
export async function sealToRecipient(bytes: Uint8Array, recipient: string): Promise<Envelope> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return toEnvelope(await encrypter.encrypt(bytes));
}

/** Decrypts with a passphrase. Throws DecryptionError, or EnvelopeRefusedError, as for a work factor above 17. */
export function openWithPassphrase(envelope: Envelope, passphrase: string): Promise<Uint8Array<ArrayBuffer>> {
  return open(envelope, PASSPHRASE_STANZAS, (decrypter) => decrypter.addPassphrase(passphrase));
}

/** Decrypts with the age identity (`AGE-SECRET-KEY-…`) that fits. Throws DecryptionError and EnvelopeRefusedError. */
export function openWithAgeIdentity(
  envelope: Envelope,
  ...ageIdentities: readonly string[]
): Promise<Uint8Array<ArrayBuffer>> {
  return open(envelope, IDENTITY_STANZAS, (decrypter) => {
    for (const each of ageIdentities) decrypter.addIdentity(each);
  });
}

async function open(
  { version, ciphertext }: Envelope,
  stanzas: readonly string[],
  addKey: (decrypter: Decrypter) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  if (version !== ENVELOPE_VERSION) throw new EnvelopeRefusedError("version_unknown");
  // Stock tools may pad, or write the other alphabet; the contract allows both.
  const file = decodeBase64url(withoutPadding(ciphertext).replaceAll("+", "-").replaceAll("/", "_"));
  if (!file) throw new DecryptionError();
  checkHeader(file, stanzas);
  try {
    const decrypter = new Decrypter();
    addKey(decrypter);
    return new Uint8Array(await decrypter.decrypt(file));
  } catch {
    // Without a cause, whose message would tell which part was wrong.
    throw new DecryptionError();
  }
}

/** Throws EnvelopeRefusedError for a slow file or other stanzas, and DecryptionError for an incomplete header. */
export function checkHeader(file: Uint8Array, stanzas: readonly string[]): void {
  const start = new TextDecoder("latin1").decode(file.subarray(0, MAX_HEADER_BYTES));
  if (!start.startsWith(HEADER_START)) throw new DecryptionError();
  if (workFactorOf(file) > PASSPHRASE_WORK_FACTOR) throw new EnvelopeRefusedError("settings_refused");
  const end = start.indexOf(HEADER_END);
  if (end === -1)
    throw file.length > MAX_HEADER_BYTES ? new EnvelopeRefusedError("settings_refused") : new DecryptionError();
  const types = start.slice(0, end).matchAll(/^-> (\S+)/gm);
  if (![...types].some(([, type = ""]) => stanzas.includes(type)))
    throw new EnvelopeRefusedError("encrypted_otherwise");
}

/** True when the header of `envelope` has the work factor of a passphrase that a person chose. */
export function isStretched({ ciphertext }: Envelope): boolean {
  const start = decodeBase64url(ciphertext.slice(0, SCRYPT_HEADER_BYTES));
  return start !== undefined && isStretchedFile(start);
}

/** The same of an age file, or of its beginning. */
export function isStretchedFile(file: Uint8Array): boolean {
  return workFactorOf(file) > LINK_WORK_FACTOR;
}

/** The scrypt work factor of an age file; 0 for other stanzas. */
function workFactorOf(file: Uint8Array): number {
  const start = new TextDecoder("latin1").decode(file.subarray(0, SCRYPT_HEADER_BYTES));
  return Number(SCRYPT_HEADER.exec(start)?.[1] ?? 0);
}

function toEnvelope(file: Uint8Array): Envelope {
  return { version: ENVELOPE_VERSION, ciphertext: encodeBase64url(file) };
}
