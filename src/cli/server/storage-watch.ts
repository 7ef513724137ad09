import { traceOf } from "../../contract/error-traces.ts";
import type { ErrorTrace } from "../../contract/error-traces.ts";
import type { HealthStore, StorageTrouble } from "../../domain/ports/health.ts";

/** The log that lines about the storage go to. */
export type StorageLog = Readonly<Record<"info" | "warn" | "error", (fields: object, message: string) => void>>;

/** A trouble, and where it was met if nobody foresaw it. */
type Seen = StorageTrouble & { readonly trace?: ErrorTrace };

/** Logs when storage troubles come, change and end, every `intervalMs`. Returns a function that stops it. */
export function watchStorage(store: HealthStore, log: StorageLog, intervalMs: number): () => void {
  let known = new Map<string, Seen>();

  const look = async () => {
    const troubles: readonly Seen[] = await store.findTroubles().catch((error: unknown) => [silent(error)]);
    const current = new Map<string, Seen>(troubles.map((trouble) => [trouble.code, trouble]));
    for (const { code, message, isSerious, systemCode, trace } of troubles) {
      const before = known.get(code);
      // Of others it is a figure in the message that changes.
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

/** The trouble that the store cannot even say what troubles it has: `/health/ready` refers to the line of this one. */
function silent(error: unknown): Seen {
  return {
    code: "unreadable",
    message: "The database does not answer. Check the disk; if this stays, restart the server.",
    isSerious: true,
    trace: traceOf(error),
  };
}
