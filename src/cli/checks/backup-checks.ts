import { toIsoTime } from "../../contract/times.ts";
import type { BackupUnits } from "../server/systemd/shown-units.ts";
import { failed, fine, warning } from "./findings.ts";
import type { Finding } from "./findings.ts";

const DAY_MS = 86_400_000;
/** A backup is too old after this time, as for the alert HandoffBackupTooOld. */
const OLD_DAYS = 2;

const ENABLE = "sudo systemctl enable --now handoff-backup.timer";

/**
 * Checks whether backups are made. `lastAt` is the time of the last one, in epoch milliseconds; null before the first.
 * `units` is undefined for a server that isn't the machine's service.
 */
export function checkBackups(lastAt: number | null, units: BackupUnits | undefined, now: number): Finding[] {
  const { failure, isTimed, hasFolder } = units ?? {};
  const last = lastAt === null ? "No backup has been made." : `The last backup is of ${toIsoTime(lastAt)}.`;
  if (failure !== undefined) {
    const advice = "To see why: sudo journalctl -u handoff-backup -n 50";
    return [failed("backups", `handoff-backup.service failed (${failure}). ${last} ${advice}`)];
  }
  // Another machine may make those of PostgreSQL, or a job of the admin's own.
  if (isTimed === false && (hasFolder || lastAt === null)) {
    return [warning("backups", `${last} handoff-backup.timer isn't active, so none is made at night. Run: ${ENABLE}`)];
  }
  if (lastAt === null) {
    if (isTimed) return [fine("backups", "handoff-backup.timer makes the first one in the night.")];
    const advice =
      "To have one made every night, install the units of 'handoff admin service --backup': see 'handoff help install'.";
    return [warning("backups", `${last} ${advice}`)];
  }
  if (now - lastAt <= OLD_DAYS * DAY_MS) return [fine("backups", last)];
  const advice = isTimed ? "Look at: systemctl list-timers handoff-backup" : "Make one: handoff admin backup FILE";
  return [warning("backups", `${last} That is more than ${OLD_DAYS} days ago. ${advice}`)];
}
