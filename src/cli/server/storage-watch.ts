import { traceOf } from "../../contract/error-traces.ts";
import type { ErrorTrace } from "../../contract/error-traces.ts";
import type { HealthStore, StorageTrouble } from "../../domain/ports/health.ts";

/** The log for lines about the storage. */
export type StorageLog = Readonly<Record<"info" | "warn" | "error", (fields: object, message: string) => void>>;

/** A trouble, and the place in the code where it occurred if it was unexpected. */
type Seen = StorageTrouble & { readonly trace?: ErrorTrace };

/** Logs when storage troubles come, change and end, every `intervalMs`. Returns a function that stops it. */
export function watchStorage(store: HealthStore, log: StorageLog, intervalMs: number): () => void {
  let known = new Map<string, Seen>();

  const look = async () => {
    const troubles: readonly Seen[] = await store.findTroubles().catch((error: unknown) => [silent(error)]);
    const current = new Map<string, Seen>(troubles.map((trouble) => [trouble.code, trouble]));
    for (const { code, message, isSerious, systemCode, trace } of troubles) {
      const before = known.get(code);
      // Of other troubles, only a number in the message changes.
      const isNews = before?.systemCode !== systemCode || (code === "files_lost" && before?.message !== message);
      if (before && !isNews) continue;
      log[isSerious ? "error" : "warn"]({ trouble: code, ...(systemCode && { code: systemCode }), ...trace }, message);
    }
    for (const code of known.keys())
      if (!current.has(code)) log.info({ trouble: code }, "this trouble of the storage is over");
    known = current;
  };
  const timer = setInterval(() => void look(), intervalMs);
  timer.unref();
  void look();
  return () => clearInterval(timer);
}

/** The trouble that the store can't report its troubles: `/health/ready` refers to this log line. */
function silent(error: unknown): Seen {
  return {
    code: "unreadable",
    message: "The database does not answer. Check the disk; if this stays, restart the server.",
    isSerious: true,
    trace: traceOf(error),
  };
}
