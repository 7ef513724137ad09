import { UserError } from "./user-errors.ts";

/** The codes of errors of ours, as the contract and the client have them: `storage_unavailable`, `usage`. */
const OWN_CODE = /^[a-z_]+$/;

/**
 * The code of what the system, the runtime or a library threw, such as `ENOENT`; undefined for all else, errors of ours
 * too.
 */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof UserError) return undefined;
  if (!("code" in error) || typeof error.code !== "string") return undefined;
  return OWN_CODE.test(error.code) ? undefined : error.code;
}
