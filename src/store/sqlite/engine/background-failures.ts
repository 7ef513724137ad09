import { codeOf } from "../../../contract/error-traces.ts";
import { isDiskFull, isLocked } from "../files/errors.ts";

/** Work that no call waits for, and that is tried again when it fails. */
export type BackgroundWork = "checkpoint" | "room" | "wal_tail" | "key_use" | "session_use" | "key_refusal";

/** Called with work that failed, and the error. Must not throw. */
export type BackgroundReport = (work: BackgroundWork, error: unknown) => void;

const SILENCE_MS = 60_000;

/**
 * Returns a report that calls `onFailure` for failures that aren't reported elsewhere. A full disk, or another process
 * that holds the database, is a trouble and isn't repeated here. The same work with the same code is reported once a
 * minute, because it is tried every second.
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
