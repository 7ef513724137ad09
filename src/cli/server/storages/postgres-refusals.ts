import { isOutcomeUnknown } from "../../../domain/storage-refusals.ts";
import { Refusal } from "../../../domain/values/errors.ts";
import { sqlStateOf } from "../../../store/postgres/engine/errors.ts";
import { findRefusal } from "../../../store/postgres/engine/refusals.ts";
import { CommandError } from "../../terminal/terminal.ts";
import type { PostgresPlace } from "./places.ts";

const WRONG_PASSWORD = "28P01";

/** The sentences about a refused password, by its origin. */
const PASSWORD_REASONS = {
  URL: "PostgreSQL doesn't take the password. Check it in the URL",
  PGPASSWORD:
    "PostgreSQL doesn't take the password in PGPASSWORD, which counts because the URL has none. Check it there",
  none: "PostgreSQL asks for a password, and the URL has none. Write it into the URL, in a file or variable",
};

/** Explains trouble with the database to the sysadmin; returns any other error as it is. */
export function explainRefusal(
  error: unknown,
  { name, passwordFrom }: Pick<PostgresPlace, "name" | "passwordFrom">,
): unknown {
  if (error instanceof CommandError) return error;
  if (isOutcomeUnknown(error)) {
    return new CommandError(
      `'${name}': the connection was lost while this was written, so that nobody knows whether it was. Look, and run this again if it wasn't.`,
      "failure",
      error,
    );
  }
  const refusal = findRefusal(error);
  if (refusal) {
    const reason =
      sqlStateOf(error) === WRONG_PASSWORD ? PASSWORD_REASONS[passwordFrom ?? "none"] : refusal.error.message;
    return new CommandError(`'${name}': ${reason}.`, "failure", error);
  }
  return error instanceof Refusal ? new CommandError(error.message, "failure", error) : error;
}
