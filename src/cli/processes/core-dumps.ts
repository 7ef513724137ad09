import { openCLibrary } from "../../store/sqlite/files/c-library.ts";

/** The same on Linux and macOS. */
const RLIMIT_CORE = 4;

/** Prevents core dumps, with plaintext and keys, of this process and its commands, which can allow them again. */
export function preventCoreDumps(): void {
  try {
    const { getrlimit, setrlimit } = openCLibrary().symbols;
    // What counts, and how far it may be raised.
    const limits = new BigUint64Array(2);
    if (getrlimit(RLIMIT_CORE, limits) !== 0) return;
    limits[0] = 0n;
    setrlimit(RLIMIT_CORE, limits);
  } catch {
    // A system without such a library works as well.
  }
}
