import { Database } from "bun:sqlite";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseError } from "./errors.ts";

const LOCK_FILE = "serve.lock";

/**
 * Makes sure that one server alone runs on `folder`: two would not hear of each other's changes. The lock is one of the
 * operating system's, taken by SQLite, so that it ends with the process, however that ends. Returns what gives it back.
 * Throws DatabaseError when another server holds it.
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, LOCK_FILE);
  const lock = new Database(path, { create: true });
  try {
    lock.run("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    throw new DatabaseError(
      `another server runs on the data folder '${folder}': stop it, or name another with --data-dir`,
      {
        cause: error,
      },
    );
  }
  return () => {
    rmSync(path, { force: true });
    lock.close();
  };
}
