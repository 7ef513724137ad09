import { Decrypter, Encrypter } from "age-encryption";
import { ENVELOPE_VERSION } from "../contract/envelope-versions.ts";
import type { Envelope } from "../contract/envelopes.ts";
import { UserError } from "../contract/user-errors.ts";
import { decodeBase64url, encodeBase64url, withoutPadding } from "./base64url.ts";

/**
 * The scrypt work factor of passphrases derived from a link: they have 128 bits already, and stretching adds nothing.
 */
export const LINK_WORK_FACTOR = 10;
/**
 * The scrypt work factor of what a person has thought up. Also the most that is opened: a higher one could be meant to
 * stop the machine.
 */
export const PASSPHRASE_WORK_FACTOR = 17;

// Of a file that age's scrypt recipient made: C2SP age.md. The stanza is the only one of its file.
const SCRYPT_HEADER = /^age-encryption\.org\/v1\n-> scrypt [^ \n]+ (\d+)\n/;
const SCRYPT_HEADER_BYTES = 128;
// Room for forty hybrid recipients. Each stanza costs a key exchange, and a file of nothing else would take minutes.
const MAX_HEADER_BYTES = 64 * 1024;

/** A ciphertext could not be opened. It never says which part was wrong. */
export class DecryptionError extends UserError {
  override readonly name = "DecryptionError";

  constructor() {
    super(
      "decryption",
      "This cannot be decrypted: the link, passphrase or key does not belong to it, or it has been changed.",
    );
  }
}

/** Encrypts with a passphrase at scrypt work factor `workFactor`. */
export async function sealWithPassphrase(bytes: Uint8Array, passphrase: string, workFactor: number): Promise<Envelope> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(workFactor);
  return toEnvelope(await encrypter.encrypt(bytes));
}

/** Encrypts to an age recipient. Throws an Error when it is none. */
export async function sealToRecipient(bytes: Uint8Array, recipient: string): Promise<Envelope> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return toEnvelope(await encrypter.encrypt(bytes));
}

/** Decrypts with a passphrase. Throws DecryptionError, also for a work factor above 17. */
export function openWithPassphrase(envelope: Envelope, passphrase: string): Promise<Uint8Array<ArrayBuffer>> {
  return open(envelope, (decrypter) => decrypter.addPassphrase(passphrase));
}

/** Decrypts with whichever of some age identities (`AGE-SECRET-KEY-…`) fits. Throws DecryptionError. */
export function openWithAgeIdentity(
  envelope: Envelope,
  ...ageIdentities: readonly string[]
): Promise<Uint8Array<ArrayBuffer>> {
  return open(envelope, (decrypter) => {
    for (const each of ageIdentities) decrypter.addIdentity(each);
  });
}

async function open(
  { version, ciphertext }: Envelope,
  addKey: (decrypter: Decrypter) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  // Stock tools may pad, or write the other alphabet: the contract lets the server take both.
  const file = decodeBase64url(withoutPadding(ciphertext).replaceAll("+", "-").replaceAll("/", "_"));
  if (version !== ENVELOPE_VERSION || !file || !isOpenable(file)) throw new DecryptionError();
  try {
    const decrypter = new Decrypter();
    addKey(decrypter);
    return new Uint8Array(await decrypter.decrypt(file));
  } catch {
    // Not passed on as a cause: what it says would tell which part was wrong.
    throw new DecryptionError();
  }
}

/**
 * True when trying to open a file takes no longer than one of ours can: its header ends, and stretches little enough.
 */
function isOpenable(file: Uint8Array): boolean {
  const start = new TextDecoder("latin1").decode(file.subarray(0, MAX_HEADER_BYTES));
  return start.includes("\n--- ") && workFactorOf(file) <= PASSPHRASE_WORK_FACTOR;
}

/** True when `envelope` was made with a passphrase that a person has thought up, as its header says. */
export function isStretched({ ciphertext }: Envelope): boolean {
  const start = decodeBase64url(ciphertext.slice(0, SCRYPT_HEADER_BYTES));
  return start !== undefined && workFactorOf(start) > LINK_WORK_FACTOR;
}

/** The scrypt work factor of an age file; 0 when it is encrypted otherwise. */
function workFactorOf(file: Uint8Array): number {
  const start = new TextDecoder("latin1").decode(file.subarray(0, SCRYPT_HEADER_BYTES));
  return Number(SCRYPT_HEADER.exec(start)?.[1] ?? 0);
}

function toEnvelope(file: Uint8Array): Envelope {
  return { version: ENVELOPE_VERSION, ciphertext: encodeBase64url(file) };
}
