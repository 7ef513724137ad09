import type { CredentialLimits } from "../../contract/credentials.ts";
import type { ReadableFile } from "../../crypto/archive-streams.ts";
import { archiveBytesOf, packArchive, toTextBeside } from "../../crypto/archive-streams.ts";
import { streamOf } from "../../crypto/byte-streams.ts";
import { isBlank } from "../../crypto/contents.ts";
import type { Content, ContentFile } from "../../crypto/contents.ts";
import type { LinkHint } from "../../crypto/link-hints.ts";
import { hintOf } from "../../crypto/link-hints.ts";
import type { SealedStream } from "../../crypto/sealed-streams.ts";
import { beginsLikeTar } from "../../crypto/tar-headers.ts";
import { getCredential } from "../credentials.ts";
import type { HttpClient } from "../http-client.ts";
import { largestContentOf, tooLarge } from "../limits.ts";
import { checkWanted, toWatched } from "../sends.ts";
import type { WatchedSecret } from "../sends.ts";
import type { SecretTerms } from "../stored-secrets.ts";
import { sealContent, storeLargeSecret } from "./large-secrets.ts";

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

/** Content to be encrypted, and a place for it. */
export interface LargeSource {
  readonly content: LargeContent;
  /** Keeps a ciphertext of unknown length until it is sent. Throws for more than `maxBytes`. */
  readonly keep: (ciphertext: ReadableStream<Uint8Array>, maxBytes: number) => Promise<KeptCiphertext>;
}

export interface LargeSendOptions extends SecretTerms, LargeSource {
  /** The passphrase that the recipient also needs; undefined for none. */
  readonly passphrase: string | undefined;
}

/**
 * Encrypts and stores content that is too large for one envelope. Throws as `sendSecret` and `storeLargeSecret`;
 * ClientError `payload_too_large` when it is larger than the server's limit.
 */
export async function sendLargeSecret(client: HttpClient, options: LargeSendOptions): Promise<WatchedSecret> {
  const { content, passphrase } = options;
  const credential = await getCredential(client);
  checkWanted(credential, options);
  const seal = (plaintext: ReadableStream<Uint8Array>) => sealContent(plaintext, passphrase, content.hint);
  const sent = await withCiphertext(credential.limits, options, seal, (sealed, measured) =>
    storeLargeSecret(client, sealed, measured, options),
  );
  return toWatched(credential, sent, options);
}

/**
 * Encrypts content with `seal`, and lets `use` send the ciphertext, whose length is known by then. Throws ClientError
 * `payload_too_large`, and what `seal` and `use` throw.
 */
export async function withCiphertext<Sealed extends SealedStream, T>(
  limits: CredentialLimits,
  { content, keep }: LargeSource,
  seal: (plaintext: ReadableStream<Uint8Array>) => Promise<Sealed>,
  use: (sealed: Sealed, measured: Pick<KeptCiphertext, "ciphertext" | "bytes">) => Promise<T>,
): Promise<T> {
  const maxBytes = limits.max_secret_bytes ?? 0;
  const refused = () => tooLarge(largestContentOf(limits));
  // Where rules allow less than one envelope holds, what is too large for that is too large for them.
  if (maxBytes < largestContentOf(limits) || (content.bytes ?? 0) > maxBytes) throw refused();
  const sealed = await seal(await content.plaintext());
  const { ciphertext } = sealed;
  if (content.bytes === undefined) {
    await using kept = await keep(ciphertext, maxBytes);
    return await use(sealed, kept);
  }
  const bytes = sealed.sizeOf(content.bytes);
  if (bytes > maxBytes) {
    await ciphertext.cancel();
    throw refused();
  }
  return use(sealed, { ciphertext, bytes });
}

/** The content of files that are read when their turn comes, and of a text beside them unless that is blank. */
export async function toLargeFiles(files: readonly ReadableFile[], text = ""): Promise<LargeContent> {
  const hasText = !isBlank(text);
  const entries = hasText ? [toTextBeside(text, files), ...files] : files;
  const bytes = await archiveBytesOf(entries);
  const hint = { hasText, files: files.filter(({ isFolder }) => !isFolder).length };
  return { kind: "large", plaintext: () => packArchive(entries), bytes, hint };
}

/** The same content, to be sent in pieces. Undefined when it can't be: nameless bytes that begin like an archive. */
export async function toLargeContent(content: Content): Promise<LargeContent | undefined> {
  if (content.kind === "both") return toLargeFiles(content.files.map(toReadable), content.text);
  if (content.kind === "files") return toLargeFiles(content.files.map(toReadable));
  const bytes = content.kind === "text" ? new TextEncoder().encode(content.text) : content.bytes;
  if (beginsLikeTar(bytes)) return content.kind === "text" ? toLargeFiles([], content.text) : undefined;
  const plaintext = async () => streamOf([bytes]);
  return { kind: "large", plaintext, bytes: bytes.length, hint: hintOf(content) };
}

function toReadable({ bytes, ...facts }: ContentFile): ReadableFile {
  return { ...facts, size: bytes.length, read: () => streamOf([bytes]) };
}
