import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { stateFolder } from "./paths.ts";
import { readPrivateFile, writePrivateFile } from "./private-files.ts";
import { CommandError, type Terminal } from "./terminal.ts";

/** What is kept of a request that was made here: without the identity nobody can read what is handed in. */
export interface KeptRequest {
  readonly id: string;
  readonly baseUrl: string;
  readonly identity: string;
  readonly note: string | null;
}

/** Keeps a request, on disk when it returns. Throws CommandError. */
export function keepRequest(terminal: Terminal, { id, baseUrl, identity, note }: KeptRequest): void {
  writePrivateFile(pathOf(terminal, id), `${JSON.stringify({ url: baseUrl, identity, note }, null, 2)}\n`);
}

/** Throws CommandError when the request was not made here, or is forgotten, or the file is damaged. */
export function getKeptRequest(terminal: Terminal, id: string): KeptRequest {
  const kept = findKeptRequest(terminal, id);
  if (kept) return kept;
  throw new CommandError(
    `the key to ${id} is not on this machine: collect it where it was asked for, or with its collect link`,
  );
}

/** Undefined when the request was not made here, or is forgotten. Throws CommandError when the file is damaged. */
export function findKeptRequest(terminal: Terminal, id: string): KeptRequest | undefined {
  const text = readPrivateFile(pathOf(terminal, id));
  if (text === undefined) return undefined;
  try {
    const { url, identity, note } = JSON.parse(text);
    if (typeof url === "string" && typeof identity === "string") {
      return { id, baseUrl: url, identity, note: typeof note === "string" ? note : null };
    }
  } catch {
    // Said below, as for any other content that is not ours.
  }
  throw new CommandError(`the file '${pathOf(terminal, id)}' is damaged`);
}

/** All that are kept, oldest first. */
export function listKeptRequests(terminal: Terminal): KeptRequest[] {
  try {
    const names = readdirSync(folderOf(terminal)).filter((name) => /^req_[0-9a-v]{26}$/.test(name));
    return names.toSorted().map((id) => getKeptRequest(terminal, id));
  } catch (error) {
    if (error instanceof CommandError) throw error;
    return [];
  }
}

/** Forgets a request from which nothing can come any more. */
export function forgetRequest(terminal: Terminal, id: string): void {
  rmSync(pathOf(terminal, id), { force: true });
}

function folderOf(terminal: Terminal): string {
  return join(stateFolder(terminal), "requests");
}

function pathOf(terminal: Terminal, id: string): string {
  return join(folderOf(terminal), id);
}
