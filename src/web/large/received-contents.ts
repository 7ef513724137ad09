import { ClientError } from "../../client/errors.ts";
import { createTextCheck, lookAtContent, namelessFileName, piecesOf } from "../../client/large/large-contents.ts";
import { toOpeningError } from "../../client/opened-secrets.ts";
import { DamagedArchiveError, unpackArchive } from "../../crypto/archive-streams.ts";
import { findText } from "../../crypto/contents.ts";
import { DecryptionError } from "../../crypto/envelopes.ts";
import type { OpenedHeader } from "../../crypto/sealed-streams.ts";
import { secretPassphrase } from "../../crypto/secret-links.ts";
import type { LargeKey, StoredFile } from "./large-jobs.ts";
import type { FileWriter } from "./opened-files.ts";

/**
 * Decrypts a large secret. Tries the passphrases in their order, and tolerates a link that asks for one which isn't
 * needed. Rejects with ClientError: `decryption_failed` when none fits, after which others can be tried, and
 * `passphrase_missing` when it needs one that the link does not ask for.
 */
export async function unlockLarge(header: OpenedHeader, key: LargeKey): Promise<ReadableStream<Uint8Array>> {
  if ("ageIdentities" in key) {
    return header.unlock(key).catch((error: unknown) => {
      throw toOpeningError(error);
    });
  }
  const { agePassphrase, passphrases } = key;
  const isAsked = passphrases.length > 0;
  const tries: (string | undefined)[] = isAsked ? [...passphrases] : [undefined];
  if (isAsked && !header.isStretched) tries.push(undefined);
  for (const passphrase of tries) {
    try {
      return await header.unlock({ passphrase: secretPassphrase(agePassphrase, passphrase) });
    } catch (error) {
      if (!(error instanceof DecryptionError)) throw toOpeningError(error);
    }
  }
  const code = header.isStretched && !isAsked ? "passphrase_missing" : "decryption_failed";
  throw new ClientError(code, "decryption", "The secret can't be decrypted.");
}

/**
 * Stores decrypted content as files while it is read; `create` begins the file of a number. Returns what each number
 * stands for. Throws ClientError: `damaged_archive` for content that was changed or cut off, `file_unwritable` where a
 * file can't be written, such as on a full disk; and what the stream throws. What was stored then counts for nothing.
 */
export async function receiveContent(
  plaintext: ReadableStream<Uint8Array>,
  create: (index: number) => Promise<FileWriter>,
): Promise<readonly StoredFile[]> {
  try {
    const { isArchive, content } = await lookAtContent(plaintext);
    return await (isArchive ? receiveArchive(content, create) : receiveNameless(content, create));
  } catch (error) {
    const isDamaged = error instanceof DecryptionError || error instanceof DamagedArchiveError;
    throw isDamaged
      ? new ClientError("damaged_archive", "decryption", "The secret is damaged.")
      : toOpeningError(error);
  }
}

type Create = (index: number) => Promise<FileWriter>;

/** A longer text beside files is offered as a file. */
const MAX_TEXT_BYTES = 64 * 1024;

async function receiveArchive(content: ReadableStream<Uint8Array>, create: Create): Promise<readonly StoredFile[]> {
  const files: StoredFile[] = [];
  const nameless: number[] = [];
  const kept: Uint8Array<ArrayBuffer>[] = [];
  for await (const { name, isFolder, isNameless, size, pieces } of unpackArchive(content, "safe")) {
    if (isNameless) nameless.push(files.length);
    const isKept = nameless.length === 1 && isNameless && size <= MAX_TEXT_BYTES;
    if (!isFolder)
      await store(
        pieces,
        () => create(files.length),
        size,
        (piece) => isKept && kept.push(piece.slice()),
      );
    files.push({ name, size, isFolder });
  }
  const [at, ...others] = nameless;
  const found = files[at ?? -1];
  if (at === undefined || !found || others.length > 0 || found.size > MAX_TEXT_BYTES) return files;
  const bytes = new Uint8Array(await new Blob(kept).arrayBuffer());
  return files.with(at, { ...found, text: findText({ name: found.name, bytes }, files.toSpliced(at, 1)) });
}

async function receiveNameless(content: ReadableStream<Uint8Array>, create: Create): Promise<readonly StoredFile[]> {
  const text = createTextCheck();
  const size = await store(piecesOf(content), () => create(0), undefined, text.add);
  return [{ name: namelessFileName(text.isText()), size, isFolder: false }];
}

/** Writes a file, and checks its length on the disk. */
async function store(
  pieces: AsyncIterable<Uint8Array>,
  create: () => Promise<FileWriter>,
  expected: number | undefined,
  onPiece?: (piece: Uint8Array) => void,
): Promise<number> {
  const file = await writing(create());
  let size = 0;
  let isWhole = false;
  try {
    for await (const piece of pieces) {
      onPiece?.(piece);
      await writing(file.write(piece));
      size += piece.length;
    }
    isWhole = true;
  } finally {
    if (!isWhole) await file.close().catch(() => undefined);
  }
  const stored = await writing(file.close());
  if (stored !== size || size !== (expected ?? size)) throw unwritable();
  return size;
}

/** The result of a step of writing. Rejects with ClientError `file_unwritable`. */
export function writing<T>(step: Promise<T>): Promise<T> {
  return step.catch(() => {
    throw unwritable();
  });
}

function unwritable(): ClientError {
  return new ClientError("file_unwritable", "failure", "The browser can't write a file.");
}
