import { brotliCompressSync, constants } from "node:zlib";
import type { Context } from "elysia";
import type { CompressedFile } from "../options.ts";

/** Compressing less saves no packet. */
const COMPRESSED_FROM_BYTES = 1024;

/** About as fast as zlib's default level, because other calls wait meanwhile. */
const GZIP_LEVEL = 6;
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** The codings for texts, the better one first. */
const CODINGS = ["br", "gzip"] as const;
type Coding = (typeof CODINGS)[number];

/** A text that stays the same while the server runs. */
export interface ServedText {
  // Blobs, because Bun copies bytes for each answer, and an unread answer keeps its copy in memory.
  readonly plain: () => Blob;
  /** The text in each available coding; empty when it is too short to compress. */
  readonly coded: ReadonlyMap<Coding, Blob>;
  /** Changes with the content (RFC 9110, section 8.8.3). */
  readonly etag: string;
}

/** Prepares `content` to be served. */
export function serveable(content: string | Uint8Array): ServedText {
  const bytes = Buffer.from(content);
  const plain = new Blob([bytes]);
  const coded = new Map<Coding, Blob>();
  if (bytes.byteLength > COMPRESSED_FROM_BYTES) {
    coded.set("br", new Blob([brotliCompressSync(bytes, BROTLI)]));
    coded.set("gzip", new Blob([Bun.gzipSync(bytes, { library: "libdeflate", level: GZIP_LEVEL })]));
  }
  return { plain: () => plain, coded, etag: hashOf(bytes) };
}

/** The same for a text compressed at build time. It is decompressed for clients without a coding. */
export function serveableBuilt({ br, gzip }: CompressedFile): ServedText {
  const [brotli, gzipped] = [Buffer.from(br, "base64"), Buffer.from(gzip, "base64")];
  let plain: Blob | undefined;
  return {
    plain: () => (plain ??= new Blob([Bun.gunzipSync(gzipped)])),
    coded: new Map([
      ["br", new Blob([brotli])],
      ["gzip", new Blob([gzipped])],
    ]),
    etag: hashOf(gzipped),
  };
}

/** The bytes of a file compressed at build time. */
export function bytesOf({ gzip }: CompressedFile): Uint8Array<ArrayBuffer> {
  return Bun.gunzipSync(Buffer.from(gzip, "base64"));
}

type Answering = Pick<Context, "request" | "set">;

/** Answers with `text`: compressed when the client accepts that, and without a body when the client has it already. */
export function answerText(text: ServedText, { request, set }: Answering) {
  const coding = codingFor(text, request);
  // Caches must keep the forms of one text apart.
  const etag = `"${text.etag}${coding === undefined ? "" : `-${coding}`}"`;
  set.headers["etag"] = etag;
  if (isKnown(request.headers.get("if-none-match") ?? "", etag)) {
    if (text.coded.size > 0) set.headers["vary"] = "Accept-Encoding";
    set.status = 304;
    return undefined;
  }
  return answerWhole(text, { request, set });
}

/** The same for an answer that is not cached, such as an error. */
export function answerWhole(text: ServedText, { request, set }: Answering) {
  const coding = codingFor(text, request);
  if (text.coded.size > 0) set.headers["vary"] = "Accept-Encoding";
  if (coding === undefined) return new Response(text.plain());
  set.headers["content-encoding"] = coding;
  return new Response(text.coded.get(coding));
}

function codingFor(text: ServedText, request: Request): Coding | undefined {
  return chooseCoding([...text.coded.keys()], request.headers.get("accept-encoding") ?? "");
}

/** True when an `If-None-Match` names `etag` (RFC 9110, section 13.1.2). */
function isKnown(header: string, etag: string): boolean {
  return header.split(",").some((each) => ["*", etag, `W/${etag}`].includes(each.trim()));
}

/**
 * The coding of `offered` with the greatest weight in an `Accept-Encoding`; the first one on a tie. Undefined when none
 * is accepted. A wildcard counts for gzip only, which all clients support.
 */
function chooseCoding(offered: readonly Coding[], header: string): Coding | undefined {
  const weights = new Map(header.split(",").map(weightOf));
  const weigh = (coding: Coding) => weights.get(coding) ?? (coding === "gzip" ? weights.get("*") : undefined) ?? 0;
  const [best] = offered.filter((coding) => weigh(coding) > 0).toSorted((a, b) => weigh(b) - weigh(a));
  return best;
}

/** The name of a coding and its weight, which is 1 unless the `item` of the header says otherwise. */
function weightOf(item: string): readonly [coding: string, weight: number] {
  const [coding = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
  const [, weight = "1"] = parameters.map((each) => /^q=([01](?:\.\d{0,3})?)$/.exec(each)).find(Boolean) ?? [];
  return [coding, Number(weight)];
}

function hashOf(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 32);
}
