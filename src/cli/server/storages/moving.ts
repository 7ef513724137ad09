import { systemClock } from "../../../domain/clocks.ts";
import { moveToPostgres, undoMove } from "../../../store/copies/moves.ts";
import type { BackupCounts } from "../../../store/sqlite/backups/backup-files.ts";
import { DatabaseError } from "../../../store/sqlite/files/errors.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { takeTurn } from "../admin-turns.ts";
import { operatorOf } from "../administering/operators.ts";
import { checkThere, explain } from "./folder-admin.ts";
import type { FolderPlace, PostgresPlace } from "./places.ts";
import { explainRefusal } from "./postgres-refusals.ts";

/** Moves everything from a data folder into an empty PostgreSQL. Returns the numbers of what was moved. Throws CommandError, DatabaseError. */
export async function moveStorage(
  { folder }: FolderPlace,
  place: PostgresPlace,
  terminal: Terminal,
): Promise<BackupCounts> {
  checkThere(folder);
  using _ = await takeTurn(folder);
  try {
    const [operator, now] = [operatorOf(terminal), systemClock.now()];
    return await moveToPostgres({ folder, connection: place.connection, place: place.name, operator, now });
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    throw explain(explainRefusal(error, place), folder);
  }
}

/** Takes a move back, and returns the URL of the database that everything was moved to. Throws CommandError, DatabaseError. */
export async function undoMoveFrom({ folder }: FolderPlace, terminal: Terminal): Promise<string> {
  checkThere(folder);
  using _ = await takeTurn(folder);
  try {
    return undoMove({ folder, operator: operatorOf(terminal) }).place;
  } catch (error) {
    throw explain(error, folder);
  }
}
