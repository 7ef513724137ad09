import { Decrypter, Encrypter } from "age-encryption";
import {
  checkHeader,
  DecryptionError,
  HEADER_END,
  IDENTITY_STANZAS,
  isStretchedFile,
  MAX_HEADER_BYTES,
  PASSPHRASE_STANZAS,
} from "./envelopes.ts";

// Age files that are too large for memory: binary, as contract section 19 says, and not in an envelope.

/** An age file that is encrypted while it is read. */
export interface SealedStream {
  readonly ciphertext: ReadableStream<Uint8Array>;
  /** The length of the ciphertext of so many bytes of plaintext. */
  readonly sizeOf: (plaintextBytes: number) => number;
}

/** Encrypts a stream with a passphrase at scrypt work factor `workFactor`. What the stream throws is thrown. */
export async function sealStream(
  plaintext: ReadableStream<Uint8Array>,
  passphrase: string,
  workFactor: number,
): Promise<SealedStream> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(workFactor);
  return seal(encrypter, plaintext);
}

/** Encrypts a stream to an age recipient. Throws an Error when it isn't valid. What the stream throws is thrown. */
export async function sealStreamTo(plaintext: ReadableStream<Uint8Array>, recipient: string): Promise<SealedStream> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return seal(encrypter, plaintext);
}

async function seal(encrypter: Encrypter, plaintext: ReadableStream<Uint8Array>): Promise<SealedStream> {
  const ciphertext = await encrypter.encrypt(plaintext);
  return { ciphertext, sizeOf: (bytes) => ciphertext.size(bytes) };
}

/** What opens an age file: a passphrase, or any of these age identities (`AGE-SECRET-KEY-…`). */
export type StreamKey = { readonly passphrase: string } | { readonly ageIdentities: readonly string[] };

/** An age file of which the header has been read, and nothing decrypted. */
export interface OpenedHeader {
  /** True when it has the work factor of a passphrase that a person chose. */
  readonly isStretched: boolean;
  /**
   * Decrypts the file with `key`. Rejects with DecryptionError when the key doesn't fit, after which another can be
   * tried, and with EnvelopeRefusedError for a header that is not tried at all. The stream throws DecryptionError at
   * the first piece that was changed, or is missing, and what the stream of the file throws.
   */
  unlock(key: StreamKey): Promise<ReadableStream<Uint8Array>>;
}

/** Reads the header of an age file. What the stream throws is thrown. */
export async function openHeader(file: ReadableStream<Uint8Array>): Promise<OpenedHeader> {
  const reader = file.getReader();
  const start = await readStart(reader);
  return {
    isStretched: isStretchedFile(start),
    async unlock(key) {
      checkHeader(start, "passphrase" in key ? PASSPHRASE_STANZAS : IDENTITY_STANZAS);
      const fileKey = await findFileKey(start, key);
      let failure: { readonly error: unknown } | undefined;
      const whole = prepend(start, reader, (error) => (failure = { error }));
      try {
        const decrypter = new Decrypter();
        // The header was opened already, and stretching a passphrase takes a while.
        decrypter.addIdentity({ unwrapFileKey: () => fileKey });
        const plaintext = await decrypter.decrypt(whole);
        return explaining(plaintext, () => failure?.error ?? new DecryptionError());
      } catch {
        throw failure ? failure.error : new DecryptionError();
      }
    },
  };
}

interface Reader {
  read(): Promise<{ readonly value?: Uint8Array | undefined }>;
  cancel(reason?: unknown): Promise<void>;
}

/** The first bytes of a file, with all of its header, or as many as a header may have and one more. */
async function readStart(reader: Reader): Promise<Uint8Array> {
  let start = new Uint8Array();
  while (start.length <= MAX_HEADER_BYTES && !hasHeader(start)) {
    const { value } = await reader.read();
    if (!value) break;
    const longer = new Uint8Array(start.length + value.length);
    longer.set(start);
    longer.set(value, start.length);
    start = longer;
  }
  return start;
}

/** True for bytes in which the header ends. */
function hasHeader(start: Uint8Array): boolean {
  const text = new TextDecoder("latin1").decode(start.subarray(0, MAX_HEADER_BYTES));
  const end = text.indexOf(HEADER_END);
  return end !== -1 && text.includes("\n", end + HEADER_END.length);
}

/** The key of the file. Rejects with DecryptionError when the key doesn't fit, without what was wrong. */
async function findFileKey(start: Uint8Array, key: StreamKey): Promise<Uint8Array> {
  try {
    const decrypter = new Decrypter();
    if ("passphrase" in key) decrypter.addPassphrase(key.passphrase);
    else for (const each of key.ageIdentities) decrypter.addIdentity(each);
    return await decrypter.decryptHeader(start);
  } catch {
    throw new DecryptionError();
  }
}

/** The bytes of `start`, and those that are left to read. `onError` is called with what reading throws. */
function prepend(start: Uint8Array, reader: Reader, onError: (error: unknown) => void): ReadableStream<Uint8Array> {
  const read = async () => {
    try {
      return await reader.read();
    } catch (error) {
      onError(error);
      throw error;
    }
  };
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(start),
    async pull(controller) {
      const { value } = await read();
      // It throws where what decrypts has given up meanwhile, which is no error of the file.
      if (value) controller.enqueue(value);
      else controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** The same stream, which throws what `toError` returns in place of any error. */
function explaining(stream: ReadableStream<Uint8Array>, toError: () => unknown): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch {
          throw toError();
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
