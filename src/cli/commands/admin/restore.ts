import { createReadStream, createWriteStream, statSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import { loadSettings } from "../../../config/load.ts";
import { codeOf } from "../../../contract/error-traces.ts";
import { toIsoTime } from "../../../contract/times.ts";
import type { Restored } from "../../../store/copies/folder-restores.ts";
import { isWantOfRoom } from "../../../store/sqlite/files/errors.ts";
import { quote } from "../../../store/sqlite/files/owners.ts";
import { addAdminFlags, objectStoreOf, placeOf, settingFlags } from "../../server/admin-store.ts";
import type { AdminFlags } from "../../server/admin-store.ts";
import { operatorOf } from "../../server/administering/operators.ts";
import { OBJECT_STORE } from "../../server/storages/object-stores.ts";
import type { ObjectStorePlace } from "../../server/storages/object-stores.ts";
import { storageAt } from "../../server/storages/open-storage.ts";
import { shownPlace } from "../../server/storages/places.ts";
import type { Place } from "../../server/storages/places.ts";
import { countOf, formatCounts } from "../../terminal/counts.ts";
import { describeLarge, largeCounts } from "../../terminal/large-counts.ts";
import { reasonOf } from "../../terminal/system-errors.ts";
import { CommandError, formatJson, remark, usageError } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";

interface RestoreFlags extends AdminFlags {
  readonly keepSecrets?: true;
}

/** `handoff admin restore` */
export function addRestore(admin: Command, terminal: Terminal): void {
  addAdminFlags(admin.command("restore"), OBJECT_STORE)
    .argument("<file>", "A backup, or - for standard input.")
    .option("--keep-secrets", "Let what was open be opened again, even if it has been opened since the backup.")
    .description("Put a backup back, into an empty data folder or an empty PostgreSQL database.")
    .addHelpText("after", HELP)
    .action((file: string, flags: RestoreFlags) => restoreFrom(file, flags, terminal));
}

const HELP = `
Stop every server first. Secrets and requests that were open are revoked: they
may have been opened since. Keys that were revoked after the backup are valid
again: compare 'handoff admin key list' with what you know. On its way into
PostgreSQL, a backup takes its room in the folder for temporary files; TMPDIR
names another one.

Examples:
  handoff admin restore /var/backups/handoff/handoff-20261128T020000123Z-3f9c02aa.backup
  age -d -i key.txt handoff.backup.age | handoff admin restore -`;

async function restoreFrom(file: string, flags: RestoreFlags, terminal: Terminal): Promise<void> {
  const place = placeOf(flags, terminal);
  const { tombstones } = loadSettings(settingFlags(flags), terminal.env, ["tombstones"]);
  if (file === "-" && terminal.isTerminal.in) throw usageError("nothing is piped in: name a file, or pipe a backup in");
  const objectStore = place.kind === "postgres" && flags.keepSecrets ? objectStoreOf(flags, terminal) : undefined;
  const restored = await (
    await storageAt(place)
  ).restore({
    given: file === "-" ? "standard input" : file,
    write: (path) => copyTo(path, file, terminal),
    keepSecrets: flags.keepSecrets === true,
    objectStore,
    tombstoneSeconds: tombstones,
    operator: operatorOf(terminal),
  });
  tell(restored, { place, objectStore }, flags, terminal);
}

/** Copies `file` to `path`. Throws CommandError when `file` can't be read. */
async function copyTo(path: string, file: string, terminal: Terminal): Promise<void> {
  const source = file === "-" ? terminal.streams().input : createReadStream(file);
  const copy = createWriteStream(path, { flags: "wx", mode: 0o600 });
  let [reading, writing]: unknown[] = [];
  source.once("error", (error) => (reading = error));
  copy.once("error", (error) => (writing = error));
  try {
    await pipeline(source, copy);
  } catch (error) {
    // When one stream fails, the pipeline destroys the other with the same error.
    if (codeOf(reading) === undefined || isWantOfRoom(writing)) throw error;
    throw new CommandError(`Can't read '${file}': ${reasonOf(reading)}. Nothing was restored.`);
  }
}

/** Where a backup was restored. */
interface Target {
  readonly place: Place;
  readonly objectStore: ObjectStorePlace | undefined;
}

function tell(restored: Restored, { place, objectStore }: Target, flags: RestoreFlags, terminal: Terminal): void {
  const { takenAt, hasSecrets, rows, ended, large } = restored;
  const time = toIsoTime(takenAt) ?? "";
  if (flags.json) {
    const counts = { ended_secrets: ended.secrets, ended_requests: ended.requests };
    terminal.out(
      formatJson({
        ...shownPlace(place),
        taken_at: time,
        with_secrets: hasSecrets,
        ...rows,
        ...largeCounts(large),
        ...counts,
      }),
    );
    return;
  }
  remark(
    terminal,
    `Restored the backup of ${time} into ${describeTarget(place)}: ${formatCounts(rows)}${describeLarge(large)}.`,
  );
  remark(
    terminal,
    flags.keepSecrets
      ? `What was open can be opened again, even if it has been opened since the backup.${describeLost(ended.secrets, place.kind === "folder" || objectStore !== undefined)}`
      : `Revoked what was open: secrets ${ended.secrets}, requests ${ended.requests}.`,
  );
  remark(terminal, "Keys that were revoked after the backup are valid again. See 'handoff admin key list'.");
  if (place.kind === "folder" && isRoots(place.folder)) {
    remark(
      terminal,
      `The files belong to root. If the server runs as another user, run: chown -R USER: ${quote(`${place.folder}/`)}`,
    );
  }
}

/** Says how many large secrets were revoked, and why. */
function describeLost(secrets: number, hasPlace: boolean): string {
  if (secrets === 0) return "";
  const isOne = secrets === 1;
  const what = `Only ${countOf(secrets, "large secret")} ${isOne ? "was" : "were"} revoked`;
  if (hasPlace) return ` ${what}: the backup doesn't have ${isOne ? "its" : "their"} content.`;
  return ` ${what}: there is no object store to put ${isOne ? "it" : "them"} into. To keep ${isOne ? "it" : "them"}, restore into an empty database again, with --object-store and --object-store-key-file.`;
}

function describeTarget(place: Place): string {
  return `'${place.kind === "folder" ? place.folder : place.name}'`;
}

/** True when `folder` belongs to root. A server may run as another user. */
function isRoots(folder: string): boolean {
  return statSync(folder).uid === 0;
}
