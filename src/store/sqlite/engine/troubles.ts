import type { Database } from "bun:sqlite";
import type { StorageTrouble } from "../../../domain/ports/health.ts";
import type { Ballast } from "../files/ballast.ts";
import type { LostFiles } from "./lost-files.ts";
import type { ReadGuard } from "./read-guard.ts";
import type { WalEmptier } from "./wal-emptying.ts";
import type { Writer } from "./writer.ts";

const MIB = 1024 * 1024;

/** Returns a function that lists what is wrong with the storage, the worst first. */
export function createTroubles(deps: {
  readonly database: Database;
  readonly ballast: Ballast;
  readonly wal: Pick<WalEmptier, "hasFailed" | "isHeldUp">;
  readonly writer: Writer;
  readonly lostFiles: LostFiles;
  readonly reads: ReadGuard;
}): () => StorageTrouble[] {
  const { database, ballast, wal, writer, lostFiles, reads } = deps;
  return () => {
    const loss = lostFiles.describe();
    // Any other trouble follows from this one, or no longer matters.
    if (loss !== undefined) return [{ code: "files_lost", message: loss, isSerious: true }];
    const troubles: StorageTrouble[] = [];
    const add = (code: StorageTrouble["code"], message: string, isSerious = true) =>
      void troubles.push({ code, message, isSerious });
    const unread = describeReads(reads);
    if (unread) troubles.push(unread);
    if (writer.isInDoubt()) add("flush_failed", FLUSH_FAILED);
    else if (wal.hasFailed()) add("flush_failed", COPY_FAILED);
    const room = describeRoom(ballast, database);
    if (room) add(...room);
    if (writer.isHeldUp()) add("locked", LOCKED);
    if (wal.isHeldUp() && !wal.hasFailed()) add("long_reader", LONG_READER, false);
    return troubles;
  };
}

function describeReads(reads: ReadGuard): StorageTrouble | undefined {
  if (reads.hasFailed()) return { code: "unreadable", message: UNREADABLE, isSerious: true };
  if (reads.hasMetDamage()) return { code: "damaged", message: DAMAGED, isSerious: false };
  return undefined;
}

/** `troubles`, with those that `reads` of another connection has found, unless they are already in it. */
export function addReadTroubles(troubles: readonly StorageTrouble[], reads: ReadGuard): StorageTrouble[] {
  const unread = describeReads(reads);
  const known = new Set(troubles.map(({ code }) => code));
  if (!unread || known.has(unread.code) || known.has("files_lost") || known.has("unreadable")) return [...troubles];
  return [unread, ...troubles.filter(({ code }) => code !== "damaged")];
}

const UNREADABLE =
  "The database could not be read: the disk fails, or the file is damaged. Creations are refused while reads fail, which is tried every second. Check the disk; if this comes again, restore a backup.";

const DAMAGED =
  "A part of the database could not be read, or is not what was written. Calls for it get an error; everything else works. Check the disk; if this comes again, restore a backup.";

const FLUSH_FAILED =
  "The disk failed while a change was flushed to it. Nothing is written until it works again, which is tried every second. Check the disk.";

const COPY_FAILED =
  "The disk failed while changes were copied from handoff.db-wal to handoff.db. None is lost, but claimed ciphertexts stay in handoff.db-wal, which grows, until the copying works again. It is tried every second. Check the disk.";

/** The trouble that a write, or the emptying of the WAL, takes too long. */
export const DISK_STALLED: StorageTrouble = {
  code: "disk_stalled",
  message:
    "The disk has been busy with the same work for more than two seconds. Calls that write wait for it; those that only read go on. Check the disk.",
  isSerious: true,
};

const LOCKED =
  "Another process holds the database locked, so that writes wait, and fail after five seconds. 'fuser -v' and 'lsof' name those that have handoff.db open. End the one that holds it if it does not end by itself.";

const LONG_READER =
  "Another process has been reading the database for more than a minute, such as a backup that hangs. What has been claimed stays in its files until that process ends.";

type RoomTrouble = readonly [code: StorageTrouble["code"], message: string];

/** The reason why the ballast is missing; undefined when it is there. */
function describeRoom(ballast: Ballast, database: Database): RoomTrouble | undefined {
  // Tried now, so that a trouble that has passed isn't reported.
  if (ballast.held() || ballast.acquire(database)) return undefined;
  const failure = ballast.failure();
  if (failure !== undefined) return FAILURES[failure] ?? writeFailed(failure);
  const missingBytes = ballast.missingBytes();
  return ["no_room", missingBytes === 0 ? SHORT_OF_ROOM : tooFull(missingBytes, ballast.isEnoughForClaims())];
}

const AGAIN = "Creations are refused until it works again, which is tried every few seconds.";

/** The troubles of a ballast that can't be written, by the code of the error. */
const FAILURES: Readonly<Record<string, RoomTrouble>> = {
  EROFS: [
    "read_only",
    `The file system of the data folder is read-only. ${AGAIN} Look in the system's log for why, and mount it writable.`,
  ],
  EDQUOT: ["quota_used_up", `The disk quota of this server's user is used up. ${AGAIN} Raise it, or make room.`],
};

const writeFailed = (code: string): RoomTrouble => [
  "write_failed",
  `Writing fails although enough of the disk is free (${code}): the disk fails, or 'ballast' in the data folder is no file of this server. ${AGAIN}`,
];

const SHORT_OF_ROOM = `Writing finds no room although enough of the disk seems to be free. ${AGAIN}`;

const tooFull = (missingBytes: number, isEnoughForClaims: boolean) =>
  `The disk is too full. Creations are refused until another ${Math.ceil(missingBytes / MIB)} MiB are free. ${
    isEnoughForClaims
      ? "Claims go on in the room that was held back for them."
      : "Claims can fail too, because the room that was held back for them has been used up."
  }`;
