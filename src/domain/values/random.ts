import type { Random } from "../ports/sources.ts";

/** The operating system's random bytes. */
export const systemRandom: Random = { bytes: (length) => crypto.getRandomValues(new Uint8Array(length)) };
