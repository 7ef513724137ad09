import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { KeptAgeIdentity } from "../../client/asks.ts";
import { stateFolder } from "../files/paths.ts";
import { readPrivateFile, syncFolder, writePrivateFile } from "../files/private-files.ts";
import { reasonOf } from "../terminal/system-errors.ts";
import { CommandError, EXIT } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { formatTime } from "../terminal/times.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long it is remembered what became of a request that is no longer kept. */
const REMEMBERED_MS = 30 * DAY_MS;

/** What is kept of a request that was made here: without the identity nobody can read what is handed in. */
export interface KeptRequest {
  readonly id: string;
  readonly baseUrl: string;
  readonly ageIdentity: string;
  readonly note: string | null;
}

/** Why a request is no longer kept: what was handed in was collected here, or it ended and there was nothing to collect. */
type Ending = "collected" | "ended";

/** Keeps a request, on disk when it returns. Throws CommandError. */
export function keepRequest(terminal: Terminal, { id, ...request }: KeptRequest): void {
  writePrivateFile(pathOf(terminal, id), format(request));
}

/** Keeps a request that is about to be made, on disk when it returns. Throws CommandError. */
export function keepNewRequest(terminal: Terminal, request: Omit<KeptRequest, "id">): KeptAgeIdentity {
  const folder = folderOf(terminal);
  forgetOld(folder, /^new-/, DAY_MS);
  const path = join(folder, `new-${crypto.randomUUID()}`);
  writePrivateFile(path, format(request));
  return {
    assign(id) {
      try {
        renameSync(path, pathOf(terminal, id));
        syncFolder(folder);
      } catch (error) {
        throw new CommandError(`The key to ${id} is in '${path}', and can't be given its name: ${reasonOf(error)}.`);
      }
    },
    drop: () => rmSync(path, { force: true }),
  };
}

/** Throws CommandError when the request was not made here, or is over and done with here, or the file is damaged. */
export function getKeptRequest(terminal: Terminal, id: string): KeptRequest {
  const kept = findKeptRequest(terminal, id);
  if (kept) return kept;
  const forgotten = findForgotten(terminal, id);
  if (forgotten) throw new CommandError(forgotten, EXIT.gone);
  throw new CommandError(
    `The private key for ${id} isn't on this machine. Collect it where it was asked for, or with its backup link.`,
  );
}

/** Undefined when the request was not made here, or is forgotten. Throws CommandError when the file is damaged. */
export function findKeptRequest(terminal: Terminal, id: string): KeptRequest | undefined {
  const text = readPrivateFile(pathOf(terminal, id));
  if (text === undefined) return undefined;
  try {
    const { url, identity, note } = JSON.parse(text);
    if (typeof url === "string" && typeof identity === "string") {
      return { id, baseUrl: url, ageIdentity: identity, note: typeof note === "string" ? note : null };
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

/** Forgets a request from which nothing can come any more, but for how it ended. Throws CommandError. */
export function forgetRequest(terminal: Terminal, id: string, ending: Ending): void {
  const path = endingPathOf(terminal, id);
  forgetOld(dirname(path), /^req_/, REMEMBERED_MS);
  if (ending === "collected" || readPrivateFile(path) === undefined) {
    writePrivateFile(path, `${ending} ${new Date().toISOString()}\n`);
  }
  rmSync(pathOf(terminal, id), { force: true });
}

/** A sentence about a request that was forgotten. */
function findForgotten(terminal: Terminal, id: string): string | undefined {
  const [ending, time = ""] = readPrivateFile(endingPathOf(terminal, id))?.trim().split(" ") ?? [];
  if (ending === undefined || !Number.isFinite(Date.parse(time))) return undefined;
  return ending === "collected"
    ? `You collected what was handed in for ${id} on this machine, at ${formatTime(time)}. Nothing more can be handed in.`
    : `Nothing more can be collected for ${id}: it has ended.`;
}

/** Removes what is older from a folder, of the files with such a name. */
function forgetOld(folder: string, name: RegExp, ageMs: number): void {
  try {
    for (const each of readdirSync(folder)) {
      const path = join(folder, each);
      if (name.test(each) && Date.now() - statSync(path).mtimeMs > ageMs) rmSync(path, { force: true });
    }
  } catch {
    // There is no such folder yet, or another command has tidied up.
  }
}

function format({ baseUrl, ageIdentity: identity, note }: Omit<KeptRequest, "id">): string {
  return `${JSON.stringify({ url: baseUrl, identity, note }, null, 2)}\n`;
}

function endingPathOf(terminal: Terminal, id: string): string {
  return join(stateFolder(terminal), "ended", id);
}

function folderOf(terminal: Terminal): string {
  return join(stateFolder(terminal), "requests");
}

function pathOf(terminal: Terminal, id: string): string {
  return join(folderOf(terminal), id);
}
