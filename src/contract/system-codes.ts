import { UserError } from "./user-errors.ts";

/** The code of what the system, the runtime or a library threw, such as `ENOENT`; undefined for all else, errors of ours too. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof UserError || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
