import { readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { KeptAgeIdentity } from "../../client/asks.ts";
import { codeOf } from "../../contract/error-traces.ts";
import { idPattern } from "../../contract/ids.ts";
import { REQUEST_USE_SECONDS } from "../../contract/limits.ts";
import { decodeNote, encodeNote } from "../../crypto/forms.ts";
import type { FormField } from "../../crypto/forms.ts";
import { place, removeUnfinished, syncFolder } from "../files/durable-files.ts";
import { stateFolder } from "../files/paths.ts";
import { createPrivateFile, readPrivateFile, writePrivateFile } from "../files/private-files.ts";
import { reasonOf } from "../terminal/system-errors.ts";
import { CommandError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { formatTime } from "../terminal/times.ts";
import { removeOld } from "./old-files.ts";
import { nameOnServer } from "./server-names.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long the outcome of a request is remembered: no shorter than its key may be kept. */
const REMEMBERED_MS = REQUEST_USE_SECONDS * 1000;
const NAME = new RegExp(`^${idPattern("request")}(-[0-9a-f]{16})?$`);
const ID_LENGTH = 30;

/** A kept request that was made here. Without its age identity, nobody can read what is handed in. */
export interface KeptRequest {
  readonly id: string;
  readonly baseUrl: string;
  readonly ageIdentity: string;
  readonly note: string | null;
  /** The fields that were asked for; empty for none, and undefined when it isn't known, as for a backup link. */
  readonly fields?: readonly FormField[] | undefined;
  /** How many secrets were asked for; undefined when an older version kept the request. */
  readonly maxSubmissions?: number | undefined;
  /** The IDs of the secrets that were collected here. */
  readonly collected?: readonly string[] | undefined;
}

/** How a request ended: with something that was collected here, or without. */
type Ending = "collected" | "ended";

/**
 * Keeps a request, on disk when it returns; one of this server and id that is already kept stays. Throws CommandError.
 */
export function keepRequest(terminal: Terminal, { id, ...request }: KeptRequest): void {
  createPrivateFile(pathOf(terminal, { id, ...request }), format(request));
}

/** Keeps a request before it is made, on disk when it returns. Throws CommandError. */
export function keepNewRequest(terminal: Terminal, request: Omit<KeptRequest, "id">): KeptAgeIdentity {
  const folder = folderOf(terminal);
  // Removes what killed commands left behind: keys without a request, and second copies.
  removeOld(folder, DAY_MS, /^new-|\.new$/);
  const path = join(folder, `new-${crypto.randomUUID()}`);
  writePrivateFile(path, format(request));
  return {
    assign(id) {
      // The id comes from the server, and could be that of another request whose key is here.
      if (findKeptRequest(terminal, id, request.baseUrl)) throw takenId(path);
      try {
        place(path, pathOf(terminal, { id, ...request }));
        syncFolder(folder);
      } catch (error) {
        if (codeOf(error) === "EEXIST") throw takenId(path);
        throw new CommandError(`The key to ${id} is in '${path}', and can't be given its name: ${reasonOf(error)}.`);
      }
    },
    drop: () => rmSync(path, { force: true }),
  };
}

/** Drops a key if the server gave its request the id of another one. */
function takenId(path: string): CommandError {
  removeUnfinished(path);
  return new CommandError(
    "The server answered with the ID of another request of yours. The key to that one was not touched. This request can't be used: tell the server's admin.",
  );
}

/** The kept request of this server, or else of another. Throws CommandError if it is unknown, ended or damaged. */
export function getKeptRequest(terminal: Terminal, id: string, baseUrl?: string): KeptRequest {
  const all = filesOf(terminal, id).map((path) => readKept(path, id));
  const kept = all.find((each) => each.baseUrl === baseUrl) ?? all[0];
  if (kept) return kept;
  const forgotten = findForgotten(terminal, id);
  if (forgotten) throw new CommandError(forgotten, "gone");
  throw new CommandError(
    `The private key for ${id} isn't on this machine. Collect it where it was asked for, or with its backup link.`,
  );
}

/** The kept request; undefined when it wasn't made here, or is forgotten. Throws CommandError for a damaged file. */
export function findKeptRequest(terminal: Terminal, id: string, baseUrl: string): KeptRequest | undefined {
  return filesOf(terminal, id)
    .map((path) => readKept(path, id))
    .find((each) => each.baseUrl === baseUrl);
}

/** All kept requests, oldest first; those with a damaged file only by name. */
export function listKeptRequests(terminal: Terminal): KeptRequest[] {
  return namesIn(folderOf(terminal)).flatMap((name) => {
    try {
      return [readKept(join(folderOf(terminal), name), name.slice(0, ID_LENGTH))];
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      terminal.say(error.message);
      return [];
    }
  });
}

/**
 * True when something may still wait for a kept request, whatever the server answers: it may not know the request
 * because the key is wrong, or because it is another server. Uses this machine's clock, from the time at which the
 * request was kept. Throws CommandError.
 */
export function mayBeOfUse(terminal: Terminal, { id, baseUrl }: KeptRequest): boolean {
  const since = Date.now() - REQUEST_USE_SECONDS * 1000;
  return filesOf(terminal, id).some((path) => readKept(path, id).baseUrl === baseUrl && statSync(path).mtimeMs > since);
}

function readKept(path: string, id: string): KeptRequest {
  const text = readPrivateFile(path);
  try {
    const { url, identity, note, form, max_submissions: most, collected } = JSON.parse(text ?? "");
    if (typeof url === "string" && typeof identity === "string") {
      return {
        id,
        baseUrl: url,
        ageIdentity: identity,
        note: typeof note === "string" ? note : null,
        fields: typeof form === "string" ? decodeNote(form).fields : undefined,
        maxSubmissions: Number.isSafeInteger(most) ? most : undefined,
        collected: Array.isArray(collected) ? collected.filter((each) => typeof each === "string") : undefined,
      };
    }
  } catch {
    // Reported below, like any other content that isn't ours.
  }
  throw new CommandError(`The file '${path}' is damaged.`);
}

/**
 * Notes which secrets were collected here, and whether the server says that the request has ended. Deletes the key of
 * one that has ended, but only when as many were collected as were asked for, or when nothing can wait any more by this
 * machine's clock: what a server says is no reason to delete a key, because a later answer may differ. Throws
 * CommandError.
 */
export function noteProgress(
  terminal: Terminal,
  request: KeptRequest,
  progress: {
    readonly collected: readonly string[];
    readonly hasEnded: boolean;
    /** How many secrets can be handed in, as the server says. Used when it isn't known here. */
    readonly maxSubmissions: number | undefined;
  },
): void {
  const path = findPath(terminal, request);
  if (path === undefined) return;
  const kept = readKept(path, request.id);
  const collected = new Set([...(kept.collected ?? []), ...progress.collected]);
  const most = kept.maxSubmissions ?? progress.maxSubmissions ?? Infinity;
  const ending = collected.size > 0 ? "collected" : "ended";
  if (progress.hasEnded && (collected.size >= most || !mayBeOfUse(terminal, request))) {
    return forgetRequest(terminal, request, ending);
  }
  if (progress.collected.length > 0) writePrivateFile(path, format({ ...kept, collected: [...collected] }));
  if (progress.hasEnded) noteEnding(terminal, request, ending);
}

/** Forgets a request from which nothing more can come, except for its outcome. Throws CommandError. */
export function forgetRequest(terminal: Terminal, request: KeptRequest, ending: Ending): void {
  noteEnding(terminal, request, ending);
  for (const each of filesOf(terminal, request.id)) {
    if (readKept(each, request.id).baseUrl === request.baseUrl) rmSync(each, { force: true });
  }
}

function noteEnding(terminal: Terminal, request: KeptRequest, ending: Ending): void {
  const path = endingPathOf(terminal, request);
  removeOld(dirname(path), REMEMBERED_MS, /^req_/);
  if (ending === "collected" || readPrivateFile(path) === undefined) {
    writePrivateFile(path, `${ending} ${new Date().toISOString()}\n`);
  }
}

/** True when the server has said before that the request has ended. Throws CommandError. */
export function isKnownToHaveEnded(terminal: Terminal, request: Pick<KeptRequest, "id" | "baseUrl">): boolean {
  return readPrivateFile(endingPathOf(terminal, request)) !== undefined;
}

/** A sentence about an ended request that something was collected of here; undefined for others. */
export function findCollected(terminal: Terminal, id: string): string | undefined {
  const collected = endingsOf(terminal, id).find(({ ending }) => ending === "collected");
  if (!collected) return undefined;
  return `You collected what was handed in for ${id} on this machine, at ${formatTime(collected.time)}. Nothing more can be handed in.`;
}

/** A sentence about a request that was forgotten. */
function findForgotten(terminal: Terminal, id: string): string | undefined {
  const isKnown = endingsOf(terminal, id).length > 0;
  return (
    findCollected(terminal, id) ?? (isKnown ? `Nothing more can be collected for ${id}: it has ended.` : undefined)
  );
}

function endingsOf(terminal: Terminal, id: string): { readonly ending: string; readonly time: string }[] {
  const folder = endingFolderOf(terminal);
  return namesIn(folder, id).flatMap((name) => {
    const [ending, time = ""] = readPrivateFile(join(folder, name))?.trim().split(" ") ?? [];
    return ending === undefined || !Number.isFinite(Date.parse(time)) ? [] : [{ ending, time }];
  });
}

function format(request: Omit<KeptRequest, "id">): string {
  const { baseUrl, ageIdentity: identity, note, fields, maxSubmissions, collected } = request;
  const form = fields && encodeNote({ text: undefined, fields });
  const content = { url: baseUrl, identity, note, form, max_submissions: maxSubmissions, collected };
  return `${JSON.stringify(content, null, 2)}\n`;
}

function endingPathOf(terminal: Terminal, { id, baseUrl }: Pick<KeptRequest, "id" | "baseUrl">): string {
  return join(endingFolderOf(terminal), nameOnServer(baseUrl, id));
}

function endingFolderOf(terminal: Terminal): string {
  return join(stateFolder(terminal), "ended");
}

function folderOf(terminal: Terminal): string {
  return join(stateFolder(terminal), "requests");
}

function pathOf(terminal: Terminal, { id, baseUrl }: Pick<KeptRequest, "id" | "baseUrl">): string {
  return join(folderOf(terminal), nameOnServer(baseUrl, id));
}

/** The file of a kept request; undefined when there is none. */
function findPath(terminal: Terminal, { id, baseUrl }: Pick<KeptRequest, "id" | "baseUrl">): string | undefined {
  return filesOf(terminal, id).find((path) => readKept(path, id).baseUrl === baseUrl);
}

/** The files of requests with this id. */
function filesOf(terminal: Terminal, id: string): string[] {
  return namesIn(folderOf(terminal), id).map((name) => join(folderOf(terminal), name));
}

/**
 * The names of files about requests in a folder, all or those of one `id`. Older versions left the server out. Throws
 * CommandError.
 */
function namesIn(folder: string, id = ""): string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.startsWith(id) && NAME.test(name));
    return names.toSorted();
  } catch (error) {
    // Nothing has been kept yet.
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) return [];
    throw new CommandError(`Can't read '${folder}': ${reasonOf(error)}.`);
  }
}
