import { connectTo } from "../postgres/engine/database.ts";
import type { ConnectionOptions, Database } from "../postgres/engine/database.ts";

/** The time that a statement has for its answer: one may be about all that a large database has. */
const ANSWER_SECONDS = 6 * 3600;

/** Connects to the database that something is copied from, or to. */
export function connectForCopies(options: ConnectionOptions): Database {
  return connectTo({ ...options, max: 2, answerSeconds: ANSWER_SECONDS });
}
