import { Refusal } from "./values/errors.ts";

const NOTHING_DONE = "Nothing was stored or handed out. Retry after Retry-After seconds.";
// A DELETE has no Idempotency-Key, and needs none.
const OUTCOME_UNKNOWN =
  "The storage failed, hung or was lost while this was written, so the outcome is unknown. Retry after Retry-After seconds; a POST with the same Idempotency-Key.";

/** The refusal when nothing was stored or handed out. */
export function storageUnavailable(cause?: unknown): Refusal {
  return new Refusal("storage_unavailable", { detail: NOTHING_DONE, cause });
}

/** The same for a fault of the file of a large secret, which no system names. The log has its code. */
export function blobUnavailable(code: "ENOSPC" | "BLOB_DAMAGED"): Refusal {
  return storageUnavailable(Object.assign(new Error("a blob can't be used"), { code }));
}

/** The refusal when the change may have been made, or may appear after a restart. */
export function outcomeUnknown(cause: unknown): Refusal {
  return new Refusal("storage_unavailable", { detail: OUTCOME_UNKNOWN, outcome: "unknown", cause });
}

/** The refusal of a call whose team was deleted after its authentication. Nothing was stored. */
export function teamGone(): Refusal {
  return new Refusal("credential_invalid");
}

/** True for a refusal after which the change may have been made. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof Refusal && error.options.outcome === "unknown";
}
