import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { temporaryFolder } from "./temporary.ts";

/** A system call that changed a folder, or put something of it onto the disk. */
interface Change {
  readonly name: "create" | "truncate" | "write" | "rename" | "remove" | "flush" | "mkdir";
  readonly path: string;
  /** The new path of what was renamed. */
  readonly to?: string;
  readonly bytes?: Buffer;
  readonly offset?: number;
}

/** The files and folders at one moment, by their paths; a folder has no content. */
type Files = Map<string, Buffer | undefined>;

/** All that a command changed in a folder, call by call. */
export interface Recording {
  /** The name of each call, and what it was about. */
  readonly calls: readonly Pick<Change, "name" | "path" | "offset">[];
  /**
   * Makes `folder` as it is when the command is killed after so many of its calls. Returns false, with nothing made,
   * where that is as after the call before.
   */
  killedAfter(step: number, folder: string): boolean;
  /**
   * The same when the power fails then, on a disk that has kept all that was written, and has not yet removed what was
   * not flushed with its folder. Returns false, with nothing made, where there is no such thing.
   */
  cutOffAfter(step: number, folder: string): boolean;
}

const CALLS =
  "openat,creat,mkdir,mkdirat,write,pwrite64,ftruncate,rename,renameat,renameat2,unlink,unlinkat,rmdir,fsync,fdatasync";
/** What SQLite makes anew when nobody has the database open. */
const INDEX = "-shm";

/**
 * Runs the command line `command` from the source, to its good end, and records all that it changes in `folder`. Throws
 * when that can't be.
 */
export async function recordChanges(command: readonly string[], folder: string): Promise<Recording> {
  using place = temporaryFolder();
  const log = join(place.path, "calls");
  const before = readFiles(folder);
  const strace = ["strace", "-f", "-y", "-xx", "-s", "4194304", "-e", `trace=${CALLS}`, "-e", "signal=none", "-o", log];
  const child = Bun.spawn([...strace, process.execPath, "src/main.ts", ...command], {
    env: { HOME: "/nonexistent", PATH: process.env["PATH"], BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const [exitCode, stderr] = await Promise.all([child.exited, child.stderr.text()]);
  if (exitCode !== 0) throw new Error(stderr);
  const changes = readChanges(readFileSync(log, "latin1"), folder);
  const replay = (step: number) => {
    const files = new Map(before);
    const removed: Files = new Map();
    for (const change of changes.slice(0, step)) apply(change, files, removed);
    return { files, removed };
  };
  checkReplay(changes, before, readFiles(folder));
  return {
    calls: changes,
    killedAfter(step, target) {
      if (changes[step - 1]?.name === "flush") return false;
      writeFiles(replay(step).files, folder, target);
      return true;
    },
    cutOffAfter(step, target) {
      const { files, removed } = replay(step);
      if (removed.size === 0) return false;
      writeFiles(new Map([...removed, ...files]), folder, target);
      return true;
    },
  };
}

/** Throws when the calls do not make of what was there what is there: there are some that are not recorded. */
function checkReplay(changes: readonly Change[], before: Files, after: Files): void {
  const files = new Map(before);
  for (const change of changes) apply(change, files, new Map());
  for (const path of new Set([...files.keys(), ...after.keys()])) {
    if (path.endsWith(INDEX)) continue;
    const [made, found] = [files.get(path), after.get(path)];
    const isSame = files.has(path) && after.has(path) && (made && found ? made.equals(found) : made === found);
    if (!isSame) throw new Error(`what was recorded does not make '${path}' what it is`);
  }
}

function apply({ name, path, to = "", bytes, offset = 0 }: Change, files: Files, removed: Files): void {
  switch (name) {
    case "mkdir":
      return void files.set(path, undefined);
    case "create":
      return void (files.has(path) || files.set(path, Buffer.alloc(0)));
    case "truncate":
      return void files.set(path, resized(files.get(path), offset));
    case "write": {
      const old = files.get(path) ?? Buffer.alloc(0);
      const changed = resized(old, Math.max(old.length, offset + (bytes?.length ?? 0)));
      bytes?.copy(changed, offset);
      return void files.set(path, changed);
    }
    case "rename":
      files.set(to, files.get(path));
      return void files.delete(path);
    case "remove":
      removed.set(path, files.get(path));
      return void files.delete(path);
    case "flush":
      // Of a folder: what was removed in it stays so.
      for (const each of removed.keys()) if (dirname(each) === path) removed.delete(each);
  }
}

function resized(bytes: Buffer | undefined, length: number): Buffer {
  const changed = Buffer.alloc(length);
  bytes?.copy(changed);
  return changed;
}

/** The calls in the log of strace that succeeded and are about `folder`, in the order in which they ended. */
function readChanges(log: string, folder: string): Change[] {
  const begun = new Map<string, string>();
  /** Where what is written without an offset goes to. */
  const ends = new Map<string, number>();
  const changes: Change[] = [];
  for (const line of log.split("\n")) {
    const [, thread = "", text = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (text.endsWith(" <unfinished ...>")) {
      begun.set(thread, text.slice(0, -" <unfinished ...>".length));
      continue;
    }
    const [, rest] = /^<\.\.\. \w+ resumed>(.*)$/.exec(text) ?? [];
    const [, name = "", args = "", result = "-1"] =
      /^(\w+)\((.*)\) += (-?\d+)/.exec(rest === undefined ? text : `${begun.get(thread) ?? ""}${rest}`) ?? [];
    if (Number(result) < 0) continue;
    const change = toChange(name, args, Number(result), ends);
    if (change && (change.path === folder || change.path.startsWith(`${folder}/`))) changes.push(change);
  }
  return changes;
}

function toChange(name: string, args: string, result: number, ends: Map<string, number>): Change | undefined {
  const texts = [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = ""]) =>
    Buffer.from(hex.replaceAll("\\x", ""), "hex"),
  );
  const [, inAngles = ""] = /^[^"]*?<([^>]*)>/.exec(args) ?? [];
  const place = inAngles.startsWith("\\x") ? Buffer.from(inAngles.replaceAll("\\x", ""), "hex").toString() : inAngles;
  const [first, second] = texts.map(String);
  const path = resolve(place === "" ? "/" : place, first ?? "");
  switch (name) {
    case "openat":
    case "creat":
      ends.set(path, 0);
      if (args.includes("O_TRUNC")) return { name: "truncate", path };
      return args.includes("O_CREAT") || name === "creat" ? { name: "create", path } : undefined;
    case "mkdir":
    case "mkdirat":
      return { name: "mkdir", path };
    case "pwrite64":
    case "write": {
      const offset = name === "write" ? (ends.get(place) ?? 0) : Number(args.split(", ").at(-1));
      if (name === "write") ends.set(place, offset + result);
      return { name: "write", path: place, bytes: texts[0]?.subarray(0, result) ?? Buffer.alloc(0), offset };
    }
    case "ftruncate":
      return { name: "truncate", path: place, offset: Number(args.split(", ").at(-1)) };
    case "fsync":
    case "fdatasync":
      return { name: "flush", path: place };
    case "unlink":
    case "unlinkat":
    case "rmdir":
      return { name: "remove", path };
    default:
      return { name: "rename", path, to: resolve(place === "" ? "/" : place, second ?? "") };
  }
}

function readFiles(folder: string): Files {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  return new Map(paths.map((path) => [path, statSync(path).isFile() ? readFileSync(path) : undefined]));
}

function writeFiles(files: Files, from: string, to: string): void {
  for (const [path, bytes] of files) {
    const target = to + path.slice(from.length);
    if (path.endsWith(INDEX)) continue;
    mkdirSync(bytes ? dirname(target) : target, { recursive: true, mode: 0o700 });
    if (bytes) writeFileSync(target, bytes, { mode: 0o600 });
  }
}
