import { Refusal } from "./values/errors.ts";

const NOTHING_DONE = "Nothing was stored or handed out. Retry after Retry-After seconds.";
// A DELETE has no Idempotency-Key, and needs none.
const OUTCOME_UNKNOWN =
  "The storage failed, hung or was lost while this was written, so the outcome is unknown. Retry after Retry-After seconds; a POST with the same Idempotency-Key.";

const TOO_FULL =
  "The disk of the server is too full for more of a large secret. What it has said that it stored stays. Retry after Retry-After seconds.";

/** The refusal when nothing was stored or handed out. */
export function storageUnavailable(cause?: unknown, detail = NOTHING_DONE): Refusal {
  return new Refusal("storage_unavailable", { detail, cause });
}

/** The same for a fault of the file of a large secret, which no system names. The log has its code. */
export function blobUnavailable(code: "ENOSPC" | "BLOB_DAMAGED"): Refusal {
  const cause = Object.assign(new Error("a blob can't be used"), { code });
  return storageUnavailable(cause, code === "ENOSPC" ? TOO_FULL : NOTHING_DONE);
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
