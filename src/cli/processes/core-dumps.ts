import { openCLibrary } from "../../store/sqlite/files/c-library.ts";

/** The same on Linux and macOS. */
const RLIMIT_CORE = 4;

/**
 * Has the system write no memory of this process to a file when it crashes, nor that of commands it runs: plaintext is in
 * it, and keys. Commands can raise the limit again, as far as they could before. Does nothing where the system has no such limit.
 */
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
