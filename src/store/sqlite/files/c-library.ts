import { dlopen } from "bun:ffi";

// musl answers to the name of glibc's library too.
const C_LIBRARY = process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6";

/** What of the C library is called here: flock(2) and _exit(2). */
export function openCLibrary() {
  return dlopen(C_LIBRARY, {
    flock: { args: ["int", "int"], returns: "int" },
    _exit: { args: ["int"], returns: "void" },
  });
}
