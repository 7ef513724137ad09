import { codeOf } from "../../../contract/error-traces.ts";
import { isDiskFull, isLocked } from "../files/errors.ts";

/** Work that no call waits for, and that is tried again when it fails. */
export type BackgroundWork = "checkpoint" | "room" | "wal_tail" | "key_use";

/** Hears of work that failed, and of why. Must not throw. */
export type BackgroundReport = (work: BackgroundWork, error: unknown) => void;

const SILENCE_MS = 60_000;

/**
 * A report that tells `onFailure` of what nobody else says: not of a full disk, nor of another process that holds the
 * database, which are troubles. Of the same work and the same code once a minute, because it is tried every second.
 */
export function createBackgroundReport(onFailure: BackgroundReport): BackgroundReport {
  const toldAt = new Map<string, number>();
  return (work, error) => {
    const causes = [error, error instanceof Error ? error.cause : undefined];
    if (causes.some((each) => isDiskFull(each) || isLocked(each))) return;
    const now = performance.now();
    const what = `${work} ${causes.map(codeOf).join(" ")}`;
    if (now - (toldAt.get(what) ?? -Infinity) < SILENCE_MS) return;
    toldAt.set(what, now);
    onFailure(work, error);
  };
}
