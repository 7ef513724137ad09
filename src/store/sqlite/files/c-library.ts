import { dlopen } from "bun:ffi";

// musl answers to the name of glibc's library too.
const C_LIBRARY = process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6";

const LOCK_EX = 2;
const LOCK_NB = 4;

/** Opens the C library for what is called of it: flock(2), _exit(2), getrlimit(2) and setrlimit(2). */
export function openCLibrary() {
  return dlopen(C_LIBRARY, {
    flock: { args: ["int", "int"], returns: "int" },
    _exit: { args: ["int"], returns: "void" },
    getrlimit: { args: ["int", "ptr"], returns: "int" },
    setrlimit: { args: ["int", "ptr"], returns: "int" },
  });
}

let library: ReturnType<typeof openCLibrary> | undefined;

/**
 * Takes the exclusive lock of flock(2) on the open `file`, without waiting, and returns whether it was to be had. It belongs
 * to that opening of the file: another one, in this process too, gets none, and it ends when the descriptor is closed.
 */
export function tryFlock(file: number): boolean {
  library ??= openCLibrary();
  return library.symbols.flock(file, LOCK_EX | LOCK_NB) === 0;
}
