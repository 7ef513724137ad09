import { UserError } from "./user-errors.ts";

/** The codes of errors of ours, as the contract and the client have them: `storage_unavailable`, `usage`. */
const OWN_CODE = /^[a-z_]+$/;

/** The driver's code for whatever PostgreSQL itself says, which has a code of its own: SQLSTATE. */
const OF_POSTGRES = "ERR_POSTGRES_SERVER_ERROR";

/**
 * The code of what the system, the runtime or a library threw, such as `ENOENT`, or PostgreSQL, such as `53100`; undefined for all else, errors of
 * ours too.
 */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof UserError) return undefined;
  if (!("code" in error) || typeof error.code !== "string") return undefined;
  if (error.code === OF_POSTGRES && "errno" in error && typeof error.errno === "string") return error.errno;
  return OWN_CODE.test(error.code) ? undefined : error.code;
}
