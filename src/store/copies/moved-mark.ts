import { Database } from "bun:sqlite";
import { APPLICATION_ID, MOVED_ID } from "../sqlite/files/database-header.ts";
import { sizeOf } from "../sqlite/files/file-sizes.ts";

/** Marks the database file `path`, which nobody has open, as moved: nothing but `clearMoved` opens it again. */
export function markMoved(path: string): void {
  setId(path, MOVED_ID);
}

/** Takes that mark away, where there is one. */
export function clearMoved(path: string): void {
  if (sizeOf(path) > 0 && idOf(path) === MOVED_ID) setId(path, APPLICATION_ID);
}

function idOf(path: string): number | undefined {
  const database = new Database(path, { readonly: true });
  try {
    return database.query<{ application_id: number }, []>("PRAGMA application_id").get()?.application_id;
  } finally {
    database.close();
  }
}

function setId(path: string, id: number): void {
  const database = new Database(path, { readwrite: true, create: false });
  try {
    database.run("PRAGMA synchronous = FULL");
    database.run(`PRAGMA application_id = ${id}`);
    // It is looked for in the file itself.
    database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    database.close();
  }
}
