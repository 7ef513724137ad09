import type { ReadableFile } from "../../crypto/archive-streams.ts";
import { archiveBytesOf, packArchive } from "../../crypto/archive-streams.ts";
import { streamOf } from "../../crypto/byte-streams.ts";
import type { Content, ContentFile } from "../../crypto/contents.ts";
import type { LinkHint } from "../../crypto/link-hints.ts";
import { hintOf } from "../../crypto/link-hints.ts";
import { beginsLikeTar } from "../../crypto/tar-headers.ts";
import { getCredential } from "../credentials.ts";
import type { HttpClient } from "../http-client.ts";
import { tooLarge } from "../limits.ts";
import { checkWanted, toWatched } from "../sends.ts";
import type { WatchedSecret } from "../sends.ts";
import type { SecretTerms } from "../stored-secrets.ts";
import { sealContent, storeLargeSecret, tooLargeForServer } from "./large-secrets.ts";

/** Encoded content that is read while it is sent. */
export interface LargeContent {
  readonly kind: "large";
  readonly plaintext: () => Promise<ReadableStream<Uint8Array>>;
  /** Its length; undefined when only reading tells. */
  readonly bytes: number | undefined;
  readonly hint: LinkHint;
}

/** A ciphertext of known length, and how to get rid of what keeps it. */
export interface KeptCiphertext extends AsyncDisposable {
  readonly ciphertext: ReadableStream<Uint8Array>;
  readonly bytes: number;
}

export interface LargeSendOptions extends SecretTerms {
  readonly content: LargeContent;
  /** The passphrase that the recipient also needs; undefined for none. */
  readonly passphrase: string | undefined;
  /** Keeps a ciphertext of unknown length until it is sent. Throws for more than `maxBytes`. */
  readonly keep: (ciphertext: ReadableStream<Uint8Array>, maxBytes: number) => Promise<KeptCiphertext>;
}

/**
 * Encrypts and stores content that is too large for one envelope. Throws as `sendSecret` and `storeLargeSecret`;
 * ClientError `payload_too_large` when it is larger than the server's limit.
 */
export async function sendLargeSecret(client: HttpClient, options: LargeSendOptions): Promise<WatchedSecret> {
  const { content, passphrase, keep } = options;
  const credential = await getCredential(client);
  checkWanted(credential, options);
  const { max_secret_bytes: maxBytes, max_ciphertext_bytes: maxSmallBytes } = credential.limits;
  if (maxBytes === null) throw tooLarge(maxSmallBytes);
  if ((content.bytes ?? 0) > maxBytes) throw tooLargeForServer(maxBytes);
  const sealed = await sealContent(await content.plaintext(), passphrase, content.hint);
  if (content.bytes === undefined) {
    await using kept = await keep(sealed.ciphertext, maxBytes);
    return toWatched(credential, await storeLargeSecret(client, sealed, kept, options), options);
  }
  const bytes = sealed.sizeOf(content.bytes);
  if (bytes > maxBytes) {
    await sealed.ciphertext.cancel();
    throw tooLargeForServer(maxBytes);
  }
  const sent = await storeLargeSecret(client, sealed, { ciphertext: sealed.ciphertext, bytes }, options);
  return toWatched(credential, sent, options);
}

/** The content of files that are read when their turn comes. */
export async function toLargeFiles(files: readonly ReadableFile[]): Promise<LargeContent> {
  const bytes = await archiveBytesOf(files);
  const hint = { hasText: false, files: files.filter(({ isFolder }) => !isFolder).length };
  return { kind: "large", plaintext: () => packArchive(files), bytes, hint };
}

/** The same content, to be sent in pieces. Undefined when it can't be: nameless bytes that begin like an archive. */
export async function toLargeContent(content: Content): Promise<LargeContent | undefined> {
  if (content.kind === "both") return undefined;
  if (content.kind === "files") return toLargeFiles(content.files.map(toReadable));
  const bytes = content.kind === "text" ? new TextEncoder().encode(content.text) : content.bytes;
  if (beginsLikeTar(bytes)) return undefined;
  const plaintext = async () => streamOf([bytes]);
  return { kind: "large", plaintext, bytes: bytes.length, hint: hintOf(content) };
}

function toReadable({ bytes, ...facts }: ContentFile): ReadableFile {
  return { ...facts, size: bytes.length, read: () => streamOf([bytes]) };
}
