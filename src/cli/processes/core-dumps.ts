import { openCLibrary } from "../../store/sqlite/files/c-library.ts";

/** The same on Linux and macOS. */
const RLIMIT_CORE = 4;

/**
 * Prevents core dumps, which hold plaintext and keys, of this process and its commands. Commands can allow them again.
 */
export function preventCoreDumps(): void {
  try {
    const { getrlimit, setrlimit } = openCLibrary().symbols;
    // The current limit, and the highest one allowed.
    const limits = new BigUint64Array(2);
    if (getrlimit(RLIMIT_CORE, limits) !== 0) return;
    limits[0] = 0n;
    setrlimit(RLIMIT_CORE, limits);
  } catch {
    // Without such a library everything else works as well.
  }
}
