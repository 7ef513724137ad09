import { moveToPostgres, undoMove } from "../../../store/copies/moves.ts";
import type { Moved, MovedDatabase } from "../../../store/copies/moves.ts";
import { DatabaseError } from "../../../store/sqlite/files/errors.ts";
import { CommandError } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { takeTurn } from "../admin-turns.ts";
import { operatorOf } from "../administering/operators.ts";
import { checkThere, explain } from "./folder-errors.ts";
import { openBlobsAt } from "./object-stores.ts";
import type { ObjectStorePlace } from "./object-stores.ts";
import type { FolderPlace, PostgresPlace } from "./places.ts";
import { explainRefusal } from "./postgres-refusals.ts";

/**
 * Moves everything from a data folder into an empty PostgreSQL database, and large secrets into an object store. Does
 * nothing if it is already there. Throws CommandError and DatabaseError.
 */
export async function moveStorage(
  { folder }: FolderPlace,
  place: PostgresPlace,
  objectStore: ObjectStorePlace | undefined,
  terminal: Terminal,
): Promise<Moved> {
  checkThere(folder);
  using _ = await takeTurn(folder);
  try {
    return await moveToPostgres(
      folder,
      { ...place, openBlobs: objectStore && openBlobsAt(objectStore) },
      operatorOf(terminal),
    );
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    throw explain(explainRefusal(error, place), folder);
  }
}

/** The database that everything was moved to, as found before the move is undone. */
export interface FoundMoved extends Pick<MovedDatabase, "state" | "objects"> {
  readonly name: string;
  /** The reason for the state "unknown", as a sentence. */
  readonly why: string;
}

/**
 * Undoes a move from `source`. `findTarget` returns the database at a URL without a password. Without `objectStore`,
 * ciphertexts there stay. `allow` gets the findings before anything is changed, and throws to stop. Returns the URL of
 * the database that everything was moved to. Throws CommandError and DatabaseError.
 */
export async function undoMoveFrom(
  { folder }: FolderPlace,
  findTarget: (url: string) => PostgresPlace,
  objectStore: ObjectStorePlace | undefined,
  allow: (found: FoundMoved) => Promise<void>,
  terminal: Terminal,
): Promise<string> {
  checkThere(folder);
  using _ = await takeTurn(folder);
  const target = {
    connectionTo: (name: string) => findTarget(name).connection,
    openBlobs: objectStore && openBlobsAt(objectStore),
  };
  try {
    return await undoMove(folder, operatorOf(terminal), target, async (name, { error, ...found }) => {
      if (found.state !== "unknown") return await allow({ ...found, name, why: "" });
      const why = explainRefusal(error, { name, passwordFrom: findTarget(name).passwordFrom });
      if (!(why instanceof CommandError)) throw error;
      return await allow({ ...found, name, why: why.message });
    });
  } catch (error) {
    throw explain(error, folder);
  }
}
