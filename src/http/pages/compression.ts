import { brotliCompressSync, constants } from "node:zlib";
import type { CompressedFile } from "../options.ts";

/** The best levels, because this runs once, at build time. */
const GZIP_LEVEL = 12;
const BROTLI_QUALITY = 11;
const BROTLI = {
  [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
  [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
};

/** Compresses a file for the executable. Takes seconds per MiB: for macros and tests. */
export function compress(content: string | Buffer): CompressedFile {
  const bytes = Buffer.from(content);
  return {
    br: brotliCompressSync(bytes, { params: BROTLI }).toString("base64"),
    gzip: Buffer.from(Bun.gzipSync(bytes, { library: "libdeflate", level: GZIP_LEVEL })).toString("base64"),
  };
}
