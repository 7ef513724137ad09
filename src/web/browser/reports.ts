import { traceOf } from "../../contract/error-traces.ts";

/** Logs the trace of an unforeseen failure to the console. Its message is left out, because it may quote a secret. */
export function reportUnforeseen(work: string, error: unknown): void {
  // oxlint-disable-next-line no-console -- a page has no other log
  console.error(`handoff: ${work} failed. Please report this: ${JSON.stringify(traceOf(error))}`);
}
