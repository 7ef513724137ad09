import { systemClock } from "../../../domain/clocks.ts";
import { moveToPostgres } from "../../../store/copies/moves.ts";
import { findRefusal } from "../../../store/postgres/engine/refusals.ts";
import { DatabaseError } from "../../../store/sqlite/files/errors.ts";
import { CommandError } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { takeTurn } from "../admin-turns.ts";
import { operatorOf } from "../administering/operators.ts";
import { checkThere, explain } from "./folder-admin.ts";
import type { FolderPlace, PostgresPlace } from "./places.ts";

/** Moves everything from a data folder into an empty PostgreSQL. Returns the numbers of rows by table. Throws CommandError, DatabaseError. */
export async function moveStorage(
  { folder }: FolderPlace,
  { connection, name }: PostgresPlace,
  terminal: Terminal,
): Promise<ReadonlyMap<string, number>> {
  checkThere(folder);
  using _ = await takeTurn(folder);
  try {
    const [operator, now] = [operatorOf(terminal), systemClock.now()];
    return await moveToPostgres({ folder, connection, place: name, operator, now });
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    const refusal = findRefusal(error);
    if (refusal) throw new CommandError(`'${name}': ${refusal.error.message}.`, "failure", error);
    throw explain(error, folder);
  }
}
