import { traceOf } from "../../contract/error-traces.ts";
import { Refusal } from "../../domain/values/errors.ts";
import type { ServerLog } from "./logs.ts";

/**
 * Returns what hears of failures of work that no call waits for, and writes a line with `message` about each. That the storage can't be used
 * is none: a trouble says so.
 */
export function reportFailures(log: ServerLog, message: string): (error: unknown) => void {
  return (error) => {
    if (error instanceof Refusal && error.code === "storage_unavailable") return;
    log.error(traceOf(error), message);
  };
}
