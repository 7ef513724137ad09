import type { Context } from "elysia";

/** The size below which nobody saves anything (a packet has about as much). */
const COMPRESSED_FROM_BYTES = 1024;

/** The size above which compressing well would hold everybody else up: a quarter of a second for each MiB. */
const COMPRESSED_WELL_TO_BYTES = 256 * 1024;
/** As quick as zlib at its usual level; and a thirtieth smaller, for the page, which has a limit. */
const LEVELS = { quick: 6, well: 10 } as const;

/** A text that stays the same while the server runs. */
export interface ServedText {
  // Blobs: of bytes Bun makes a copy for each answer, which whoever does not read it makes us keep.
  readonly content: Blob;
  /** The text compressed; undefined where it is too short to be worth it. */
  readonly gzipped: Blob | undefined;
  /** Changes with the content (RFC 9110, section 8.8.3). */
  readonly etag: string;
}

/** Prepares `content` to be served. */
export function serveable(content: string | Uint8Array<ArrayBuffer>): ServedText {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return {
    content: new Blob([bytes]),
    gzipped: bytes.byteLength > COMPRESSED_FROM_BYTES ? new Blob([gzip(bytes)]) : undefined,
    etag: new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 32),
  };
}

/** The answer with `text`: compressed where the client takes that, and nothing where it has it already. */
export function answerText(text: ServedText, { request, set }: Pick<Context, "request" | "set">) {
  const isCompressed = text.gzipped !== undefined && takesGzip(request.headers.get("accept-encoding") ?? "");
  // Two forms of one text are two things to a cache.
  const etag = `"${text.etag}${isCompressed ? "-gzip" : ""}"`;
  set.headers["etag"] = etag;
  if (text.gzipped) set.headers["vary"] = "Accept-Encoding";
  if (isKnown(request.headers.get("if-none-match") ?? "", etag)) {
    set.status = 304;
    return undefined;
  }
  if (!isCompressed) return new Response(text.content);
  set.headers["content-encoding"] = "gzip";
  return new Response(text.gzipped);
}

/** True when an `If-None-Match` names `etag` (RFC 9110, section 13.1.2). */
function isKnown(header: string, etag: string): boolean {
  return header.split(",").some((each) => ["*", etag, `W/${etag}`].includes(each.trim()));
}

/**
 * True when an `Accept-Encoding` has gzip in it, or anything at all, and not with the weight 0 (RFC 9110, section
 * 12.5.3).
 */
function takesGzip(header: string): boolean {
  const codings = header.split(",").map((each) => each.split(";").map((part) => part.trim().toLowerCase()));
  const found = ["gzip", "*"].map((name) => codings.find(([coding]) => coding === name)).find(Boolean);
  return found !== undefined && !found.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
}

function gzip(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const level = bytes.byteLength > COMPRESSED_WELL_TO_BYTES ? LEVELS.quick : LEVELS.well;
  return Bun.gzipSync(bytes, { library: "libdeflate", level });
}
