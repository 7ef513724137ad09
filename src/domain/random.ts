import type { Random } from "./ports/sources.ts";

/** Random bytes of the operating system. */
export const systemRandom: Random = { bytes: (length) => crypto.getRandomValues(new Uint8Array(length)) };
