import { closeSync, openSync, readSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import { defaultDataDir, loadSettings } from "../../config/load.ts";
import { codeOf } from "../../contract/system-codes.ts";
import { toIsoTime } from "../../contract/times.ts";
import { systemClock } from "../../domain/clocks.ts";
import { formatCounts } from "../../store/sqlite/backups/backup-files.ts";
import type { BackupCounts } from "../../store/sqlite/backups/backup-files.ts";
import { writeBackup } from "../../store/sqlite/backups/backups.ts";
import { noteBackup } from "../../store/sqlite/backups/last-backup.ts";
import { DatabaseError } from "../../store/sqlite/files/errors.ts";
import type { BackupNames } from "../files/backup-folders.ts";
import { backupNames, removeLeft, removeOlder } from "../files/backup-folders.ts";
import { place, removeUnfinished, syncFolder } from "../files/durable-files.ts";
import { addAdminFlags, settingFlags } from "../server/admin-store.ts";
import type { AdminFlags } from "../server/admin-store.ts";
import { takeTurn } from "../server/admin-turns.ts";
import { checkThere, explain } from "../server/storages/folder-admin.ts";
import { parseCount } from "../terminal/counts.ts";
import { reasonOf } from "../terminal/system-errors.ts";
import { checkStandardOutput, CommandError, formatJson, remark, usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface BackupFlags extends AdminFlags {
  readonly withSecrets?: true;
  readonly keep?: string;
}

const COPY_BYTES = 1024 * 1024;

/** `handoff admin backup` */
export function addBackup(admin: Command, terminal: Terminal): void {
  addAdminFlags(admin.command("backup"))
    .argument(
      "<file>",
      "A new file, a directory that gets one named by the time and the installation, or - for standard output.",
    )
    .option("--with-secrets", "Also copy ciphertexts, notes and sessions, to move to another machine.")
    .option("--keep <n>", "In a directory, delete older backups of this installation, and keep so many.")
    .description("Back the database up, also while the server runs.")
    .addHelpText("after", HELP)
    .action((file: string, flags: BackupFlags) => backUp(file, flags, terminal));
}

const HELP = `
A backup has teams, identities, keys, people, and metadata. Without --with-secrets, it has nothing that could be opened.
It is one file that only you can read. Nothing is overwritten. It is checked after it is written.

Examples:
  handoff admin backup /var/backups/handoff --keep 14
  handoff admin backup - | age -r age1… > handoff.backup.age`;

async function backUp(file: string, flags: BackupFlags, terminal: Terminal): Promise<void> {
  const { dataDir } = loadSettings(settingFlags(flags), terminal.env, ["dataDir"]);
  const folder = dataDir ?? defaultDataDir(terminal.env);
  const isPiped = file === "-";
  checkOutput(isPiped, flags, terminal);
  const keep = parseCount("--keep", flags.keep);
  const isIntoDirectory = !isPiped && isDirectory(file);
  if (keep !== undefined && !isIntoDirectory) throw usageError("--keep needs a directory to keep backups in");
  checkThere(folder);
  using _ = await takeTurn(folder);
  const takenAt = systemClock.now();
  const names = namesOf(folder);
  const target = isPiped ? undefined : isIntoDirectory ? join(file, names.at(takenAt)) : checkFile(file);
  const into = target === undefined ? folder : dirname(target);
  removeLeft(into, names);
  const unfinished = join(into, names.newUnfinished());
  const hasSecrets = flags.withSecrets === true;
  let counts: BackupCounts;
  try {
    // By us, so that why it can't be is known.
    closeSync(openSync(unfinished, "wx", 0o600));
    counts = writeBackup(folder, unfinished, { takenAt, hasSecrets });
    if (target !== undefined) finish(unfinished, target);
    else pour(unfinished, terminal);
  } catch (error) {
    // What is said of a disk is of the one that the backup goes to.
    if (error instanceof DatabaseError) throw error;
    throw codeOf(error) === undefined
      ? explain(error, folder)
      : new CommandError(`Can't write '${file}': ${reasonOf(error)}.`);
  } finally {
    for (const each of [unfinished, `${unfinished}-journal`]) removeUnfinished(each);
  }
  noteTime(folder, takenAt, terminal);
  const removed = keep === undefined ? [] : removeOlder(into, keep, names);
  tell({ path: target, counts, takenAt, hasSecrets, removed }, flags, terminal);
}

/** Notes the backup where the server's metrics find it. It was made, whether that can be noted or not. */
function noteTime(folder: string, takenAt: number, terminal: Terminal): void {
  try {
    noteBackup(folder, takenAt);
  } catch (error) {
    terminal.say(`Warning: can't note the time of this backup in '${folder}' for the metrics: ${reasonOf(error)}.`);
  }
}

function checkOutput(isPiped: boolean, flags: BackupFlags, terminal: Terminal): void {
  if (!isPiped) return;
  checkStandardOutput(terminal);
  if (terminal.isTerminal.out)
    throw usageError("a backup isn't text: send standard output to a file or another program");
  if (flags.json) throw usageError("standard output gets the backup, so --json can't be used with -");
}

/** The path of a file that is to be written. Throws CommandError where it can only be that of a directory. */
function checkFile(file: string): string {
  if (file.endsWith("/")) throw new CommandError(`There is no directory '${file}'. Make it first.`);
  return file;
}

/** The names of the backups of the database in `folder`. Throws DatabaseError and CommandError when it can't be read. */
function namesOf(folder: string): BackupNames {
  try {
    return backupNames(folder);
  } catch (error) {
    throw explain(error, folder);
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Whoever writes there hears why that can't be.
    return false;
  }
}

/** Gives the backup its name. Throws CommandError where that is taken. */
function finish(unfinished: string, path: string): void {
  try {
    place(unfinished, path);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw new CommandError(`'${path}' already exists. Name another file.`);
    throw error;
  }
  syncFolder(dirname(path));
}

function pour(path: string, terminal: Terminal): void {
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.alloc(COPY_BYTES);
    for (let bytes = readSync(file, buffer); bytes > 0; bytes = readSync(file, buffer)) {
      terminal.out(buffer.subarray(0, bytes));
    }
  } finally {
    closeSync(file);
  }
}

function tell(
  done: {
    readonly path: string | undefined;
    readonly counts: BackupCounts;
    readonly takenAt: number;
    readonly hasSecrets: boolean;
    readonly removed: readonly string[];
  },
  flags: BackupFlags,
  terminal: Terminal,
): void {
  const { path, counts, takenAt, hasSecrets, removed } = done;
  if (flags.json) {
    terminal.out(
      formatJson({ file: path, taken_at: toIsoTime(takenAt), with_secrets: hasSecrets, ...counts, removed }),
    );
    return;
  }
  if (path !== undefined) terminal.out(`${path}\n`);
  const what = hasSecrets ? "with ciphertexts" : "metadata only";
  remark(terminal, `Backed up (${what}): ${formatCounts(counts)}.`);
  if (removed.length > 0) remark(terminal, `Deleted ${removed.join(", ")}.`);
}
