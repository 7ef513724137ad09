import { dlopen, read } from "bun:ffi";
import { closeSync } from "node:fs";
import { getSystemErrorName } from "node:util";

const IS_MACOS = process.platform === "darwin";
// musl also answers to the name of glibc's library.
const C_LIBRARY = IS_MACOS ? "libSystem.B.dylib" : "libc.so.6";

const LOCK_EX = 2;
const LOCK_NB = 4;
const EWOULDBLOCK = IS_MACOS ? 35 : 11;

/** Opens the C library for calls that neither Bun nor Node has. */
export function openCLibrary() {
  return dlopen(C_LIBRARY, {
    flock: { args: ["int", "int"], returns: "int" },
    _exit: { args: ["int"], returns: "void" },
    getrlimit: { args: ["int", "ptr"], returns: "int" },
    setrlimit: { args: ["int", "ptr"], returns: "int" },
    socket: { args: ["int", "int", "int"], returns: "int" },
    sendto: { args: ["int", "ptr", "usize", "int", "ptr", "u32"], returns: "i64" },
  });
}

/** The error for a system call that failed. Its `code` is the name of `errno`, as in errors of node:fs. */
function failureOf(call: string, errno: number): Error & { readonly code: string } {
  const code = getSystemErrorName(-errno);
  return Object.assign(new Error(`${call}: ${code}`), { code });
}

let library: ReturnType<typeof openCLibrary> | undefined;
let findErrno: (() => number) | undefined;

/** Returns a function that reads the errno of the last call in this thread. Call it right after that call. */
function openErrno(): () => number {
  const name = IS_MACOS ? "__error" : "__errno_location";
  const { [name]: find } = dlopen(C_LIBRARY, { [name]: { args: [], returns: "ptr" } } as const).symbols;
  const place = find?.();
  if (typeof place !== "number") throw new Error("the C library has no errno");
  return () => read.i32(place);
}

/** The errno with which `call` failed; 0 on success. */
function errnoOf(call: () => number): number {
  // Opened before the call, so that nothing changes errno between the call and the reading.
  const find = (findErrno ??= openErrno());
  return call() === 0 ? 0 : find();
}

/**
 * Takes the exclusive lock of flock(2) on the open `file`, without waiting. Returns false when another opening of it
 * has the lock. The lock belongs to this opening of the file: another one, even in this process, doesn't get it. It
 * ends when the descriptor is closed. Throws an error with a `code` when the file can't be locked, as in a file system
 * without locks.
 */
export function tryFlock(file: number): boolean {
  const { flock } = (library ??= openCLibrary()).symbols;
  const errno = errnoOf(() => flock(file, LOCK_EX | LOCK_NB));
  if (errno !== 0 && errno !== EWOULDBLOCK) throw failureOf("flock", errno);
  return errno === 0;
}

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const SOCK_CLOEXEC = 0o2_000_000;
const MSG_NOSIGNAL = 0x4000;

/**
 * Sends `text` in one datagram to the Unix socket `address`: a path, or an abstract name with @ in place of its zero
 * (unix(7)). Only on Linux. Throws an error with a `code`.
 */
export function sendDatagram(address: string, text: string): void {
  const { socket, sendto } = (library ??= openCLibrary()).symbols;
  const name = address.startsWith("@") ? `\0${address.slice(1)}` : `${address}\0`;
  const place = Buffer.concat([new Uint8Array(Uint16Array.of(AF_UNIX).buffer), Buffer.from(name)]);
  const data = Buffer.from(text);
  let file = -1;
  const unopened = errnoOf(() => Math.min((file = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)), 0));
  if (unopened !== 0) throw failureOf("socket", unopened);
  try {
    const unsent = errnoOf(() =>
      Number(sendto(file, data, data.length, MSG_NOSIGNAL, place, place.length)) === data.length ? 0 : -1,
    );
    if (unsent !== 0) throw failureOf("sendto", unsent);
  } finally {
    closeSync(file);
  }
}
