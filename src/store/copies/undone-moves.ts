import { join } from "node:path";
import { UserError } from "../../contract/user-errors.ts";
import { createMonotonicClock, systemClock } from "../../domain/clocks.ts";
import type { Operator } from "../../domain/ports/admin-log.ts";
import type { ConnectionOptions } from "../postgres/engine/database.ts";
import { createAdminLog } from "../sqlite/admin-log.ts";
import { openOrm } from "../sqlite/engine/context.ts";
import { openDatabase } from "../sqlite/engine/database.ts";
import { DATABASE_FILE } from "../sqlite/files/data-folder.ts";
import { findMove } from "../sqlite/files/database-header.ts";
import type { Move } from "../sqlite/files/database-header.ts";
import { DatabaseError } from "../sqlite/files/errors.ts";
import { lockFolder } from "../sqlite/files/server-lock.ts";
import { openMoved } from "./moved-databases.ts";
import type { MovedState } from "./moved-databases.ts";
import { clearMoved } from "./moved-mark.ts";

/** A move that may be taken back. */
export interface UndoOptions {
  /** The data folder that everything was moved from. */
  readonly folder: string;
  /** The one who takes it back. */
  readonly operator: Operator;
  /** The way to the database that everything was moved to, by its URL without a password. */
  readonly connectionTo: (place: string) => ConnectionOptions;
  /** Asked before anything is changed, with what was found of that database: an error when it is there and can't be looked at. Throws to have nothing changed. */
  readonly allow: (place: string, found: MovedState | { readonly error: unknown }) => Promise<void>;
}

/**
 * Takes a move back, so that servers start on the data folder again. What was handed out since by the database that everything was moved to is handed out
 * again. Throws DatabaseError when nothing was moved, and when a server runs on either.
 */
export async function undoMove({ folder, operator, connectionTo, allow }: UndoOptions): Promise<Move> {
  const unlock = lockFolder(folder);
  try {
    const path = join(folder, DATABASE_FILE);
    const move = findMove(path);
    if (!move) throw new DatabaseError(`nothing was moved from '${folder}'. Nothing was changed`);
    const found = await openMoved(connectionTo(move.place), move).catch(toFound);
    if ("error" in found) {
      await allow(move.place, found);
      takeMarkAway(folder, operator);
      return move;
    }
    await using moved = found;
    await allow(move.place, moved.state);
    takeMarkAway(folder, operator);
    return move;
  } finally {
    unlock();
  }
}

function toFound(error: unknown): { readonly error: unknown } {
  // Not a matter of anybody's opinion.
  if (error instanceof UserError) throw error;
  return { error };
}

function takeMarkAway(folder: string, operator: Operator): void {
  clearMoved(join(folder, DATABASE_FILE));
  const database = openDatabase(folder);
  try {
    const clock = createMonotonicClock(systemClock);
    createAdminLog({ orm: openOrm(database), clock, operator }).record({ action: "database.move_undone" });
  } finally {
    database.close();
  }
}
