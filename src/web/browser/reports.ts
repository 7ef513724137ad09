import { traceOf } from "../../contract/error-traces.ts";

/** Puts on the console of the browser where a failure happened that nobody foresaw, and nothing of what was typed or opened. */
export function reportUnforeseen(work: string, error: unknown): void {
  // oxlint-disable-next-line no-console -- a page has no other log
  console.error(`handoff: ${work} failed. Please report this: ${JSON.stringify(traceOf(error))}`);
}
