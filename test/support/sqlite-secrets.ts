import type { ServerPolicy } from "../../src/domain/server-policies.ts";
import type { StoreOptions } from "../../src/store/sqlite/assembly/options.ts";
import { openTestSecrets } from "./secrets.ts";
import type { TestSecrets } from "./secrets.ts";
import { heldBytes, inDatabase } from "./sqlite-files.ts";
import { openSqliteStorage } from "./sqlite-storage.ts";

/** The rules of secrets over SQLite, and a look into its files. */
export interface SqliteSecrets extends TestSecrets {
  readonly folder: string;
  /** The rows that a second connection reads, as the admin command would. */
  query<T>(sql: string): T[];
  /** The length of all stored ciphertexts, in bytes. */
  heldBytes(): number;
  /** The bytes that the teams take up, as they are counted from call to call. */
  storedBytes(): number;
}

export async function openSqliteSecrets(
  policy: Partial<ServerPolicy> = {},
  options: Partial<StoreOptions> = {},
): Promise<SqliteSecrets> {
  const storage = openSqliteStorage(options);
  const { folder } = storage;
  const query = <T>(sql: string) => inDatabase(folder, (database) => database.query<T, []>(sql).all());
  return {
    ...(await openTestSecrets(policy, storage)),
    folder,
    query,
    heldBytes: () => heldBytes(folder),
    storedBytes: () => query<{ bytes: number }>("SELECT sum(stored_bytes) AS bytes FROM teams")[0]?.bytes ?? NaN,
  };
}
