import { closeSync, createReadStream, openSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import { codeOf } from "../../../contract/error-traces.ts";
import { toIsoTime } from "../../../contract/times.ts";
import type { BackupOrigin, WrittenBackup } from "../../../store/copies/backup-files.ts";
import { backupNames, removeLeft, removeOlder } from "../../files/backup-folders.ts";
import { place, removeUnfinished, syncFolder } from "../../files/durable-files.ts";
import { canOthersWrite } from "../../files/own-folders.ts";
import { addAdminFlags, objectStoreOf, placeOf } from "../../server/admin-store.ts";
import type { AdminFlags } from "../../server/admin-store.ts";
import { OBJECT_STORE } from "../../server/storages/object-stores.ts";
import { storageAt } from "../../server/storages/open-storage.ts";
import { shownPlace } from "../../server/storages/places.ts";
import type { Place } from "../../server/storages/places.ts";
import { countOf, formatCounts, parseCount } from "../../terminal/counts.ts";
import { describeLarge, largeCounts } from "../../terminal/large-counts.ts";
import { reasonOf } from "../../terminal/system-errors.ts";
import { checkStandardOutput, CommandError, formatJson, remark, usageError, warn } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";

interface BackupFlags extends AdminFlags {
  readonly withSecrets?: true;
  readonly keep?: string;
}

/** `handoff admin backup` */
export function addBackup(admin: Command, terminal: Terminal): void {
  addAdminFlags(admin.command("backup"), OBJECT_STORE)
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
A backup has teams, identities, keys, people, and metadata. Without
--with-secrets, it has nothing that could be opened. It is one file that only
you can read. Nothing is overwritten. It is checked after it is written.

Examples:
  handoff admin backup /var/backups/handoff --keep 14
  handoff admin backup - | age -r age1… > handoff.backup.age`;

async function backUp(file: string, flags: BackupFlags, terminal: Terminal): Promise<void> {
  const from = placeOf(flags, terminal);
  const isPiped = file === "-";
  checkOutput(isPiped, flags, terminal);
  const keep = parseCount("--keep", flags.keep);
  const isIntoDirectory = !isPiped && isDirectory(file);
  if (keep !== undefined && !isIntoDirectory) throw usageError("--keep needs a directory to keep backups in");
  const objectStore = from.kind === "postgres" && flags.withSecrets ? objectStoreOf(flags, terminal) : undefined;
  await using origin = await (await storageAt(from)).beginBackup(objectStore);
  const { installation, takenAt } = origin;
  const names = backupNames(installation);
  const target = isPiped ? undefined : isIntoDirectory ? join(file, names.at(takenAt)) : checkFile(file);
  const into = target === undefined ? scratchFolder(from) : dirname(target);
  removeLeft(into, names);
  if (!isPiped && flags.withSecrets && canOthersWrite(into))
    warn(terminal, `others can write to '${into}', and so replace or delete this backup.`);
  const unfinished = join(into, names.newUnfinished());
  const hasSecrets = flags.withSecrets === true;
  let written: WrittenBackup;
  try {
    // It is made here, so that an error says why it can't be made.
    closeSync(openSync(unfinished, "wx", 0o600));
    written = await origin.write(unfinished, hasSecrets);
    if (target !== undefined) finish(unfinished, target);
    else for await (const chunk of createReadStream(unfinished)) terminal.out(chunk as Buffer);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    const advice = isPiped && from.kind === "postgres" ? " Name another directory with the variable TMPDIR." : "";
    throw new CommandError(`Can't write '${isPiped ? into : file}': ${reasonOf(error)}.${advice}`);
  } finally {
    for (const each of [unfinished, `${unfinished}-journal`]) removeUnfinished(each);
  }
  await noteTime(origin, from, terminal);
  const removed = keep === undefined ? [] : removeOlder(into, keep, names);
  tell({ path: target, ...written, takenAt, hasSecrets, removed }, flags, terminal);
}

/** The folder for a backup that is then written to standard output. */
function scratchFolder(from: Place): string {
  return from.kind === "folder" ? from.folder : tmpdir();
}

/** Notes the backup for the server's metrics, and warns when it can't: the backup was made all the same. */
async function noteTime(origin: BackupOrigin, from: Place, terminal: Terminal): Promise<void> {
  try {
    await origin.note();
  } catch (error) {
    const where = Object.values(shownPlace(from)).join("");
    warn(terminal, `can't note the time of this backup in '${where}' for the metrics: ${reasonOf(error)}.`);
  }
}

function checkOutput(isPiped: boolean, flags: BackupFlags, terminal: Terminal): void {
  if (!isPiped) return;
  checkStandardOutput(terminal);
  if (terminal.isTerminal.out)
    throw usageError("a backup isn't text: send standard output to a file or another program");
  if (flags.json) throw usageError("standard output gets the backup, so --json can't be used with -");
}

/** Returns `file`. Throws CommandError when it can only be the path of a directory. */
function checkFile(file: string): string {
  if (file.endsWith("/")) throw new CommandError(`There is no directory '${file}'. Make it first.`);
  return file;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Writing there reports the error.
    return false;
  }
}

/** Gives the backup its name. Throws CommandError when the name is taken. */
function finish(unfinished: string, path: string): void {
  try {
    place(unfinished, path);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw new CommandError(`'${path}' already exists. Name another file.`);
    throw error;
  }
  syncFolder(dirname(path));
}

function tell(
  done: WrittenBackup & {
    readonly path: string | undefined;
    readonly takenAt: number;
    readonly hasSecrets: boolean;
    readonly removed: readonly string[];
  },
  flags: BackupFlags,
  terminal: Terminal,
): void {
  const { path, counts, large, takenAt, hasSecrets, removed } = done;
  for (const id of large.damaged)
    warn(terminal, `the content of the large secret ${id} is damaged. The backup doesn't have it.`);
  if (large.unreached > 0) {
    const what = `the content of ${countOf(large.unreached, "large secret")}`;
    warn(
      terminal,
      `the backup doesn't have ${what}: name the object store with --object-store and --object-store-key-file.`,
    );
  }
  if (flags.json) {
    const facts = { file: path, taken_at: toIsoTime(takenAt), with_secrets: hasSecrets };
    terminal.out(formatJson({ ...facts, ...counts, ...largeCounts(large), removed }));
    return;
  }
  if (path !== undefined) terminal.out(`${path}\n`);
  const what = hasSecrets ? "with ciphertexts" : "metadata only";
  remark(terminal, `Backed up (${what}): ${formatCounts(counts)}${describeLarge(large)}.`);
  if (removed.length > 0) remark(terminal, `Deleted ${removed.join(", ")}.`);
}
