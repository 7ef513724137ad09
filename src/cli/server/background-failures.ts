import { traceOf } from "../../contract/error-traces.ts";
import { Refusal } from "../../domain/values/errors.ts";
import type { ServerLog } from "./logs.ts";

/** Returns a function that logs failures of background work with `message`. Unusable storage is a trouble instead. */
export function reportFailures(log: ServerLog, message: string): (error: unknown) => void {
  return (error) => {
    if (error instanceof Refusal && error.code === "storage_unavailable") return;
    log.error(traceOf(error), message);
  };
}
