import { closeSync, fstatSync, lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { openToRead } from "../../config/readable-files.ts";
import { codeOf } from "../../contract/error-traces.ts";
import { hasTooManyEntries, isBlank, toContent } from "../../crypto/contents.ts";
import type { Content, ContentFile } from "../../crypto/contents.ts";
import { splitEntryName } from "../../crypto/entry-names.ts";
import { reasonOf } from "../terminal/system-errors.ts";
import { CommandError, printable, usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { readVariable } from "./variables.ts";

/** The place of content, as arguments and flags name it. */
export interface SourceFlags {
  readonly files: readonly string[];
  readonly env: string | undefined;
  /** The number of arguments before the files. */
  readonly argumentsBefore?: number;
  /** True when something else has been read from standard input. */
  readonly isInputTaken?: boolean;
}

/** Reads content from files, a variable, standard input or a hidden prompt. Throws CommandError. */
export async function readSource(terminal: Terminal, source: SourceFlags): Promise<Content> {
  if (source.env !== undefined) {
    if (source.files.length > 0) throw usageError("give either files or --env, not both");
    return { kind: "text", text: readVariable(terminal, "--env", source.env) };
  }
  const files = source.files.filter((file) => file !== "-");
  if (files.length > 0) {
    if (files.length < source.files.length) throw usageError("give either files or '-' for standard input, not both");
    return readFound(findFiles(files, source.argumentsBefore ?? 0));
  }
  const isDash = source.files.includes("-");
  if (source.isInputTaken && isDash) throw usageError("Standard input can't be both the link and the secret.");
  return readInput(terminal, isDash, source.isInputTaken === true);
}

async function readInput(terminal: Terminal, isAskedFor: boolean, isTaken: boolean): Promise<Content> {
  if (isTaken || (terminal.isTerminal.in && !isAskedFor)) {
    const text = await terminal.ask("Secret (not shown): ", { hidden: true });
    if (text === undefined) throw usageError("Standard input was the link. Name a file with the secret, or use --env.");
    if (isBlank(text)) throw usageError("nothing was typed, so nothing is sent");
    return { kind: "text", text };
  }
  return toInput(await terminal.readAll());
}

/** The content that came from standard input. Throws CommandError when it is empty. */
export function toInput(bytes: Uint8Array): Content {
  if (bytes.length === 0) throw usageError("standard input is empty, so nothing is sent");
  const content = toContent(bytes);
  if (content.kind === "text" && isBlank(content.text)) {
    throw usageError("standard input is an empty text, so nothing is sent");
  }
  return content;
}

/** A file or folder that will be read. */
export interface FoundFile extends Omit<ContentFile, "bytes"> {
  readonly path: string;
  readonly size: number;
}

/** Finds files and folders, with what is in them. Each is named by the last part of its path. Throws CommandError. */
export function findFiles(paths: readonly string[], argumentsBefore: number): FoundFile[] {
  const found = new Map<string, FoundFile>();
  for (const [index, path] of paths.entries()) {
    for (const file of findTree(path, basename(resolve(path)), argumentsBefore + index + 1)) {
      if (found.has(file.name)) throw usageError(`two of the files have the name '${file.name}'`);
      found.set(file.name, file);
    }
  }
  if (hasTooManyEntries([...found.keys()])) {
    throw usageError(
      "More than 10,000 files and directories can't be sent. Pack them first: tar cf DIR.tar DIR, and send that",
    );
  }
  checkNames([...found.keys()]);
  return [...found.values()];
}

/** Reads what was found. Throws CommandError. */
export function readFound(found: readonly FoundFile[]): Content {
  const files = found.map(({ path, size: _size, ...file }) => ({
    ...file,
    bytes: file.isFolder ? new Uint8Array() : readRegular(path),
  }));
  return { kind: "files", files };
}

/** Refuses, before anything is sent, names that the recipient couldn't write. */
function checkNames(names: readonly string[]): void {
  const written = new Map<string, string>();
  for (const name of names) {
    let clean: string;
    try {
      clean = splitEntryName(name).join("/");
    } catch {
      throw usageError(
        `'${printable(name)}' cannot be a file's name everywhere: rename it, or send it from standard input`,
      );
    }
    const other = written.get(clean);
    if (other !== undefined)
      throw usageError(`'${printable(name)}' and '${printable(other)}' would be written to the same file`);
    written.set(clean, name);
  }
}

function findTree(path: string, name: string, argument: number): FoundFile[] {
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) {
      const folder = { name, path, size: 0, isExecutable: false, isFolder: true };
      return [
        folder,
        ...readdirSync(path)
          .toSorted()
          .flatMap((each) => findTree(noLink(join(path, each)), `${name}/${each}`, argument)),
      ];
    }
    if (!stats.isFile()) throw neither(path);
    return [{ name, path, size: stats.size, isExecutable: (stats.mode & 0o100) !== 0, isFolder: false }];
  } catch (error) {
    if (error instanceof CommandError) throw error;
    if (codeOf(error) !== "ENOENT") throw unreadable(path, error);
    // The argument isn't repeated: it may be the secret itself, and this line may end in a log.
    throw usageError(
      `Argument ${argument} isn't a file or directory. Don't give a secret as an argument: it would be in the shell's history and in the list of processes. Pipe it in, or give no argument and be asked for it.`,
    );
  }
}

/** The content of a file, which may have been replaced by something else meanwhile. */
function readRegular(path: string): Uint8Array {
  const file = openRegular(path);
  try {
    return readFileSync(file);
  } catch (error) {
    throw unreadable(path, error);
  } finally {
    closeSync(file);
  }
}

/** Opens a file to read it. Throws CommandError, also when it isn't one any more. */
export function openRegular(path: string): number {
  let file: number | undefined;
  try {
    file = openToRead(path);
    if (!fstatSync(file).isFile()) throw neither(path);
    return file;
  } catch (error) {
    if (file !== undefined) closeSync(file);
    throw unreadable(path, error);
  }
}

/** The error for a file that can't be read. */
export function unreadable(path: string, error: unknown): CommandError {
  return error instanceof CommandError ? error : usageError(`Can't read '${path}': ${reasonOf(error)}.`);
}

function neither(path: string): CommandError {
  return usageError(`'${path}' is neither a file nor a directory.`);
}

/** Returns the path. Throws CommandError for a symbolic link, which may lead anywhere. */
function noLink(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  // Bun reads other bytes as the replacement character.
  if (!stats) throw usageError(`Can't read '${printable(path)}': it's gone, or its name isn't UTF-8. Rename it first.`);
  if (stats.isSymbolicLink())
    throw usageError(`'${path}' is a link: send what it leads to, or take it out of the folder`);
  return path;
}
