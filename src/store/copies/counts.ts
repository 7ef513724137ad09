import type { BackupCounts } from "../sqlite/backups/backup-files.ts";

/** The counts that are told, of the numbers of rows by table. */
export function toCounts(rows: ReadonlyMap<string, number>): BackupCounts {
  const count = (table: string) => rows.get(table) ?? 0;
  return {
    teams: count("teams"),
    identities: count("identities"),
    keys: count("api_keys"),
    secrets: count("secrets"),
    requests: count("requests"),
  };
}
