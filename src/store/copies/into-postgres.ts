import type { Database } from "bun:sqlite";
import { getTableName } from "drizzle-orm";
import type { Connection } from "../postgres/engine/database.ts";
import { DatabaseError } from "../postgres/engine/errors.ts";
import { columnList, toRecordset } from "../postgres/engine/rows.ts";
import { CHARGES } from "../postgres/engine/stored-bytes.ts";
import { createChecksum } from "./checksums.ts";
import type { Checksum } from "./checksums.ts";
import { rowsInPostgres, rowsInSqlite } from "./rows.ts";
import { COPIED_TABLES } from "./tables.ts";
import type { CopiedRow, CopiedTable } from "./tables.ts";

const BATCH_ROWS = 1000;
const BATCH_CHARACTERS = 2 * 1024 * 1024;

/**
 * Copies all that is in a SQLite database into a PostgreSQL database that has nothing but its tables, in the transaction of `connection`, and
 * compares every row with what has arrived. Returns the numbers of rows by table. Throws DatabaseError when something is different.
 */
export async function copyIntoPostgres(source: Database, connection: Connection): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const table of COPIED_TABLES) {
    const name = getTableName(table.postgres);
    const sent = await send(source, connection, table);
    const arrived = createChecksum();
    for await (const row of rowsInPostgres(connection, table)) arrived.add(row);
    const { count, digest } = arrived.value();
    if (count !== sent.count || digest !== sent.digest) {
      throw new DatabaseError(
        `${name}: what arrived in PostgreSQL (${count} rows) is not what was sent (${sent.count} rows). Nothing was kept there`,
      );
    }
    counts.set(name, count);
  }
  await continueFrom(source, connection);
  return counts;
}

async function send(source: Database, connection: Connection, table: CopiedTable): Promise<Checksum> {
  const columns = columnList(table.postgres);
  const name = getTableName(table.postgres);
  const insert = `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE
    SELECT ${columns} FROM json_populate_recordset(null::${name}, $1::text::json)`;
  const sent = createChecksum();
  for (const batch of inBatches(rowsInSqlite(source, table))) {
    for (const row of batch) sent.add(row);
    await connection.run(insert, [toRecordset(table.postgres, batch)]);
  }
  return sent.value();
}

function* inBatches(rows: Iterable<CopiedRow>): Generator<CopiedRow[]> {
  let batch: CopiedRow[] = [];
  let characters = 0;
  for (const row of rows) {
    batch.push(row);
    const { ciphertext } = row;
    if (typeof ciphertext === "string") characters += ciphertext.length;
    if (batch.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue;
    yield batch;
    [batch, characters] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

/** Has time, places, numbers and charges go on from what was copied. */
async function continueFrom(source: Database, connection: Connection): Promise<void> {
  const latest = source.query<{ at: number }, []>("SELECT latest_at AS at FROM clocks").get();
  await connection.run(
    "UPDATE clocks SET latest_at = greatest(latest_at, $1::bigint), last_place = (SELECT coalesce(max(place), 0) FROM events)",
    [latest?.at ?? 0],
  );
  for (const name of ["admin_log", "webhook_deliveries"]) {
    await connection.run(
      `SELECT setval(pg_get_serial_sequence('${name}', 'id'), (SELECT coalesce(max(id), 0) + 1 FROM ${name}), false)`,
    );
  }
  await connection.run(RECOUNT);
}

/** Charges every team for what it has. */
const RECOUNT = `UPDATE teams SET stored_bytes =
  (SELECT ${CHARGES.secrets} FROM secrets WHERE team_id = teams.id)
  + (SELECT ${CHARGES.sealed} FROM ciphertexts JOIN secrets ON secrets.id = secret_id WHERE team_id = teams.id)
  + (SELECT ${CHARGES.requests} FROM requests WHERE team_id = teams.id)
  + (SELECT ${CHARGES.sealed} FROM request_notes JOIN requests ON requests.id = request_id WHERE team_id = teams.id)
  + (SELECT ${CHARGES.events} FROM events WHERE team_id = teams.id)
  + (SELECT ${CHARGES.calls} FROM idempotent_calls WHERE team_id = teams.id)`;
