import { Refusal } from "../../../domain/errors.ts";
import { isOutcomeUnknown } from "../../../domain/storage-refusals.ts";
import { findRefusal } from "../../../store/postgres/engine/refusals.ts";
import { CommandError } from "../../terminal/terminal.ts";
import type { PostgresPlace } from "./places.ts";

/** Trouble with the database of `place` as an error with a sentence for the sysadmin; any other error as it is. */
export function explainRefusal(error: unknown, { name }: Pick<PostgresPlace, "name">): unknown {
  if (error instanceof CommandError) return error;
  if (isOutcomeUnknown(error)) {
    return new CommandError(
      `'${name}': the connection was lost while this was written, so that nobody knows whether it was. Look, and run this again if it wasn't.`,
      "failure",
      error,
    );
  }
  const refusal = findRefusal(error);
  if (refusal) return new CommandError(`'${name}': ${refusal.error.message}.`, "failure", error);
  return error instanceof Refusal ? new CommandError(error.message, "failure", error) : error;
}
