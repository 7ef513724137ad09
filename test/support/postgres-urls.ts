import { dirname } from "node:path";
import type { ConnectionOptions } from "../../src/store/postgres/engine/database.ts";

/** The URL of a database of a test's own PostgreSQL, as `--database` takes it. */
export function urlOf({ path = "", database = "" }: ConnectionOptions): string {
  return `postgresql://handoff@${encodeURIComponent(dirname(path))}/${database}`;
}
