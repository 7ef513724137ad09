import { statfsSync } from "node:fs";
import { join } from "node:path";
import type { ContentInspection } from "../../domain/ports/inspections.ts";
import { LITTLE_FOR_LARGE_BYTES } from "../../store/blobs/disk-room.ts";
import { findLastBackup } from "../../store/copies/folder-backups.ts";
import { inspect, inspectLog } from "../../store/copies/inspections.ts";
import type { Inspection } from "../../store/copies/inspections.ts";
import { LATEST_VERSION } from "../../store/sqlite/engine/migrations.ts";
import { DATABASE_FILE, openDataFolder } from "../../store/sqlite/files/data-folder.ts";
import { inspectDatabase } from "../../store/sqlite/files/database-header.ts";
import { quote } from "../../store/sqlite/files/owners.ts";
import { checkThere, explain } from "../server/storages/folder-errors.ts";
import { countOf } from "../terminal/counts.ts";
import { formatSize } from "../terminal/progress.ts";
import { toLine } from "../terminal/terminal.ts";
import { checkClock, checkKeys, checkSeals, checkWebhooks, SOON_MS } from "./content-checks.ts";
import { failed, fine, sentenceOf, warning } from "./findings.ts";
import type { Finding } from "./findings.ts";
import { checkLargeSecrets } from "./large-checks.ts";
import { findUnusable } from "./owner-checks.ts";

const MIB = 1024 * 1024;
/** Below the first, creations are soon refused; below the second, an admin should make room. */
const LITTLE_BYTES = 64 * MIB;
const SOME_BYTES = 1024 * MIB;
const FEW_FILES = 1000;

/** The advice when the clock is behind or ahead of the latest time in the database. */
const CLOCK_ADVICE = {
  behind:
    "If the clock is wrong, set it (timedatectl status). If it's right, the clock was ahead once, and time goes on from the database's: restore a backup from before.",
  ahead:
    "If the clock is right, nothing is wrong. If not, set it (timedatectl status) before the server is started: what ends by this time is ended, and the database keeps the time.",
};

/** The findings about the storage, and the ID of the installation; undefined when it can't be read. */
export interface StorageFindings {
  readonly findings: readonly Finding[];
  readonly installation?: string | undefined;
  /** The time of the last backup; null before the first, and undefined when it isn't known. */
  readonly lastBackupAt?: number | null;
  /** The teams; undefined when they can't be read. */
  readonly teams?: ContentInspection["teams"];
}

/** Checks the data folder, the database in it and its contents, without changing anything. */
export async function checkStorage(folder: string, now: number): Promise<StorageFindings> {
  const findings = [checkFolder(folder)];
  if (findings.some(({ level }) => level === "failed")) return { findings };
  findings.push(checkRoom(folder));
  const path = join(folder, DATABASE_FILE);
  try {
    const inspection = inspect(path, now, now + SOON_MS);
    findings.push(checkIntegrity(inspection, path), ...checkForeign(inspection), checkVersion(inspection));
    findings.push(
      checkClock(inspection, now, CLOCK_ADVICE),
      ...checkKeys(inspection),
      ...checkWebhooks(inspection, now),
    );
    // A damaged database has no log to compare.
    if (inspection.damage === undefined) {
      findings.push(...checkSeals(await inspectLog(path), inspection.teams, now));
      findings.push(...checkLargeSecrets(folder, path));
    }
    const lastBackupAt = findLastBackup(folder) ?? null;
    return { findings, installation: inspection.installation, lastBackupAt, teams: inspection.teams };
  } catch (error) {
    findings.push(failed("database", sentenceOf(explain(error, folder))));
    return { findings };
  }
}

function checkFolder(folder: string): Finding {
  try {
    checkThere(folder);
    openDataFolder(folder);
    inspectDatabase(join(folder, DATABASE_FILE), LATEST_VERSION);
    return findUnusable(folder) ?? fine("data folder", `'${folder}' is for its owner alone.`);
  } catch (error) {
    return failed("data folder", sentenceOf(error));
  }
}

function checkRoom(folder: string): Finding {
  const { bavail, bsize, files, ffree } = statfsSync(folder);
  const free = bavail * bsize;
  const text = `${formatSize(free)} are free on the file system of '${folder}'.`;
  const advice = `To see what is used, run: df -h ${quote(folder)}`;
  if (files > 0 && ffree < FEW_FILES) {
    return failed(
      "free room",
      `The file system of '${folder}' has room for ${countOf(ffree, "file")}. Delete some: df -i ${quote(folder)}`,
    );
  }
  if (free === 0) {
    return failed("free room", `No room is left on the file system of '${folder}'. Secrets are refused now. ${advice}`);
  }
  if (free < LITTLE_BYTES) return failed("free room", `Only ${text} Secrets are refused soon, or already. ${advice}`);
  if (free < LITTLE_FOR_LARGE_BYTES) {
    return warning("free room", `Only ${text} That is too little for large secrets. ${advice}`);
  }
  return free < SOME_BYTES ? warning("free room", `${text} ${advice}`) : fine("free room", text);
}

function checkIntegrity({ damage }: Inspection, path: string): Finding {
  if (damage === undefined) return fine("integrity", `Every page of '${path}' is sound.`);
  return failed(
    "integrity",
    `'${path}' is damaged: ${damage}. Stop the server and restore a backup: handoff admin restore`,
  );
}

/** Reports objects in the database that handoff doesn't make: a trigger could keep erased data. */
function checkForeign({ foreign }: Inspection): Finding[] {
  const [first] = foreign;
  if (first === undefined) return [];
  const more = foreign.length === 1 ? "" : `, and ${foreign.length - 1} more`;
  return [
    warning(
      "schema",
      `The database has what handoff doesn't make: ${toLine(first)}${more}. It can keep erased data. A backup leaves it out: restore one into an empty data folder.`,
    ),
  ];
}

function checkVersion({ version }: Inspection): Finding {
  if (version === LATEST_VERSION) return fine("version", "The database is of this version of handoff.");
  return warning(
    "version",
    "The database is of an earlier version: the server that runs on it hasn't been upgraded, or not restarted since. Run: sudo systemctl restart handoff",
  );
}
