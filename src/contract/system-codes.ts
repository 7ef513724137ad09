import { UserError } from "./user-errors.ts";

/** The form of handoff's own codes, such as `storage_unavailable` and `usage`. */
const OWN_CODE = /^[a-z_]+$/;

/** The driver's code for every error of PostgreSQL, whose own code is the SQLSTATE. */
const OF_POSTGRES = "ERR_POSTGRES_SERVER_ERROR";

/**
 * The code of an error of the operating system, the runtime or a library, such as `ENOENT`, or of PostgreSQL, such as
 * `53100`. Undefined for all others, handoff's own included.
 */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof UserError) return undefined;
  if (!("code" in error) || typeof error.code !== "string") return undefined;
  if (error.code === OF_POSTGRES && "errno" in error && typeof error.errno === "string") return error.errno;
  return OWN_CODE.test(error.code) ? undefined : error.code;
}
