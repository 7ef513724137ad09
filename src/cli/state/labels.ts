import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { REQUEST_USE_SECONDS } from "../../contract/limits.ts";
import { stateFolder } from "../files/paths.ts";
import { readPrivateFile, writePrivateFile } from "../files/private-files.ts";
import { CommandError, usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { removeOld } from "./old-files.ts";
import { nameOnServer } from "./server-names.ts";

// Labels name people and things ("router, for Ann"). Each has its own file on this machine; they are never sent to a
// server.

/** The longest label, in characters, as on the page. */
const MAX_LENGTH = 80;
/** The longest time that something may be open, and then listed by a server with default settings. */
const MAX_AGE_MS = REQUEST_USE_SECONDS * 1000 + 30 * 24 * 60 * 60 * 1000;
/** The maximum number of labels; the oldest are removed. */
const MOST = 1000;

/** The value of `--label`, trimmed and on one line; undefined for none. Throws CommandError when it is too long. */
export function parseLabel(text: string | undefined): string | undefined {
  const label = text?.trim().replace(/\s+/gu, " ");
  if (label && Array.from(label).length > MAX_LENGTH) {
    throw usageError(`--label can have ${MAX_LENGTH} characters at most. Nothing was sent.`);
  }
  return label || undefined;
}

/** Keeps a label for an id on the server at `baseUrl`. Returns it; null without one, or when it can't be kept. */
export function keepLabel(terminal: Terminal, baseUrl: string, id: string, label: string | undefined): string | null {
  if (label === undefined) return null;
  try {
    const folder = folderOf(terminal);
    writePrivateFile(join(folder, nameOnServer(baseUrl, id)), `${label}\n`);
    removeOld(folder, MAX_AGE_MS);
    removeBeyond(folder, MOST);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    terminal.say(`The label wasn't kept. ${error.message} XDG_STATE_HOME can name another directory.`);
    return null;
  }
  return label;
}

/**
 * The label of `id` on the server at `baseUrl`, as it was given: escape it before showing it. Null when there is none.
 */
export function findLabel(terminal: Terminal, baseUrl: string, id: string): string | null {
  try {
    const text = readPrivateFile(join(folderOf(terminal), nameOnServer(baseUrl, id)));
    const [line = ""] = text?.split("\n", 1) ?? [];
    return Array.from(line).slice(0, MAX_LENGTH).join("") || null;
  } catch {
    // A label that can't be read is no reason to fail.
    return null;
  }
}

/** The labelled ids on this machine with their labels, on any server. */
export function listLabels(terminal: Terminal): (readonly [id: string, label: string])[] {
  const folder = folderOf(terminal);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((name) => {
    const [label = ""] = readPrivateFile(join(folder, name))?.split("\n", 1) ?? [];
    return [name.replace(/-[0-9a-f]{16}$/, ""), label];
  });
}

/** Removes the oldest files, so that `most` are left. Never throws. */
function removeBeyond(folder: string, most: number): void {
  try {
    const names = readdirSync(folder);
    if (names.length <= most) return;
    const files = names.map((name) => ({ path: join(folder, name), writtenAt: statSync(join(folder, name)).mtimeMs }));
    const oldest = files.toSorted((a, b) => a.writtenAt - b.writtenAt).slice(0, names.length - most);
    for (const { path } of oldest) rmSync(path, { force: true });
  } catch {
    // Another command has already removed it.
  }
}

function folderOf(terminal: Terminal): string {
  return join(stateFolder(terminal), "labels");
}
