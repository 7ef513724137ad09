import { systemClock } from "../../../domain/clocks.ts";
import type { MovedState } from "../../../store/copies/moved-databases.ts";
import { moveToPostgres } from "../../../store/copies/moves.ts";
import type { Moved } from "../../../store/copies/moves.ts";
import { undoMove } from "../../../store/copies/undone-moves.ts";
import { DatabaseError } from "../../../store/sqlite/files/errors.ts";
import { CommandError } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { takeTurn } from "../admin-turns.ts";
import { operatorOf } from "../administering/operators.ts";
import { checkThere, explain } from "./folder-admin.ts";
import type { FolderPlace, PostgresPlace } from "./places.ts";
import { explainRefusal } from "./postgres-refusals.ts";

/** Moves everything from a data folder into an empty PostgreSQL, unless it has arrived there already. Throws CommandError, DatabaseError. */
export async function moveStorage({ folder }: FolderPlace, place: PostgresPlace, terminal: Terminal): Promise<Moved> {
  checkThere(folder);
  using _ = await takeTurn(folder);
  try {
    const [operator, now] = [operatorOf(terminal), systemClock.now()];
    return await moveToPostgres({ folder, connection: place.connection, place: place.address, operator, now });
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    throw explain(explainRefusal(error, place), folder);
  }
}

/** The database that everything was moved to, as it was found before a move is taken back; `why` says why it can't be looked at, though it is there. */
export interface FoundMoved {
  readonly name: string;
  readonly state: MovedState | "unknown";
  readonly why: string;
}

/** The way to take a move back. */
export interface Undoing {
  readonly source: FolderPlace;
  /** The database that everything was moved to, by its URL without a password. */
  readonly findTarget: (url: string) => PostgresPlace;
  /** Asked before anything is changed; throws to have nothing changed. */
  readonly allow: (found: FoundMoved) => Promise<void>;
}

/** Takes a move back, and returns the URL of the database that everything was moved to. Throws CommandError, DatabaseError. */
export async function undoMoveFrom({ source, findTarget, allow }: Undoing, terminal: Terminal): Promise<string> {
  const { folder } = source;
  checkThere(folder);
  using _ = await takeTurn(folder);
  try {
    const { place } = await undoMove({
      folder,
      operator: operatorOf(terminal),
      connectionTo: (name) => findTarget(name).connection,
      allow: (name, found) => allow(describeFound({ name, passwordFrom: findTarget(name).passwordFrom }, found)),
    });
    return place;
  } catch (error) {
    throw explain(error, folder);
  }
}

function describeFound(
  place: Pick<PostgresPlace, "name" | "passwordFrom">,
  found: MovedState | { readonly error: unknown },
): FoundMoved {
  const { name } = place;
  if (typeof found === "string") return { name, state: found, why: "" };
  const why = explainRefusal(found.error, place);
  if (!(why instanceof CommandError)) throw found.error;
  return { name, state: "unknown", why: why.message };
}
