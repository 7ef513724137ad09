import type { HealthStore } from "../../domain/ports/health.ts";

/** The log that lines about the storage go to. */
export type StorageLog = Readonly<Record<"info" | "warn" | "error", (fields: object, message: string) => void>>;

/**
 * Looks every `intervalMs` at what is wrong with the storage, and writes a line when something comes up and when it is
 * over. Returns what ends that.
 */
export function watchStorage(store: HealthStore, log: StorageLog, intervalMs: number): () => void {
  let known = new Set<string>();

  const look = async () => {
    const troubles = await store.findTroubles().catch(() => undefined);
    // That the database does not answer, whoever asked it something is told.
    if (!troubles) return;
    const current = new Set<string>(troubles.map(({ code }) => code));
    for (const { code, message, isSerious } of troubles) {
      if (!known.has(code)) log[isSerious ? "error" : "warn"]({ trouble: code }, message);
    }
    for (const code of known)
      if (!current.has(code)) log.info({ trouble: code }, "this trouble of the storage is over");
    known = current;
  };
  const timer = setInterval(() => void look(), intervalMs);
  timer.unref();
  void look();
  return () => clearInterval(timer);
}
