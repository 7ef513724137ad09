import { afterAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { makeOldDatabase } from "../../../support/old-postgres.ts";
import { openOver, startPostgres } from "../../../support/postgres.ts";
import { markedCiphertext } from "../../../support/secrets.ts";
import { createTestClock } from "../../../support/test-clocks.ts";

// Only the tests run ANALYZE.
const cluster = await startPostgres({ autovacuum: "off" });
afterAll(() => cluster[Symbol.asyncDispose]());

/**
 * The text and byte columns whose values may be copied into pg_statistic: IDs, names, states and other values that
 * admins see, and the hashes of random tokens with a non-unique index.
 */
const OPEN_COLUMNS: Record<string, string[]> = {
  admin_log: ["action", "details", "subject_id", "subject_name", "sudo_user", "team_id", "team_name", "user"],
  api_keys: ["hint", "id", "identity_id", "name", "networks", "successor_id"],
  attempts: ["purpose", "subject_id"],
  ciphertexts: ["secret_id"],
  ciphertexts_0: ["secret_id"],
  ciphertexts_1: ["secret_id"],
  events: ["actor_id", "id", "proof", "reference", "request_id", "secret_id", "team_id", "type"],
  idempotent_calls: ["subject_id", "team_id"],
  identities: ["id", "kind", "name", "person_name", "scopes", "team_id"],
  installations: ["public_id"],
  logins: ["address", "machine", "session_id", "state"],
  mails: ["id", "kind", "language"],
  notice_places: ["last_event_id", "team_id"],
  notice_switches: ["identity_id", "language", "time_zone"],
  passkeys: ["browser", "credential_id", "id", "identity_id", "public_key", "system", "transports"],
  person_tokens: ["identity_id", "purpose"],
  provider_accounts: ["identity_id", "issuer", "subject"],
  request_notes: ["request_id"],
  request_notes_0: ["request_id"],
  request_notes_1: ["request_id"],
  requests: ["asker_id", "created_by", "id", "recipient", "reference", "state", "submit_token_hash", "team_id"],
  secrets: [
    "ciphertext_format",
    "claim_token_hash",
    "created_by",
    "id",
    "reference",
    "request_id",
    "sender_id",
    "state",
    "team_id",
  ],
  sessions: ["browser", "id", "identity_id", "parent_id", "system", "way"],
  teams: ["id", "name", "rules"],
  upload_parts: ["key", "upload_id"],
  uploads: ["created_by", "id", "proof", "secret_id", "team_id"],
  webhook_deliveries: ["event_id", "event_type", "failure", "outcome", "webhook_id"],
  webhooks: ["event_types", "format", "id", "last_event_id", "paused_by", "team_id"],
};

test("no statistics are kept of columns that may hold secrets, and new columns need a decision", async () => {
  const connection = await cluster.makeDatabase();
  const { store } = await openOver(connection, createTestClock());
  await store.close();
  await using beside = new SQL({ ...connection, adapter: "postgres", max: 1 });
  const rows = (await beside.unsafe(`
    SELECT relname AS name, attname AS column FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'm') AND attnum > 0 AND NOT attisdropped
      -- No number is a secret.
      AND atttypid NOT IN ('bigint'::regtype, 'integer'::regtype, 'boolean'::regtype)
      AND coalesce(attstattarget, -1) <> 0
    ORDER BY relname, attname`)) as { name: string; column: string }[];
  const found = Object.groupBy(rows, ({ name }) => name);
  // List a new column above, or set its statistics to 0 in a migration.
  expect(
    Object.fromEntries(Object.entries(found).map(([name, columns]) => [name, columns?.map(({ column }) => column)])),
  ).toEqual(OPEN_COLUMNS);
});

/** Returns the tables and indexes with their files and the storage of their columns. */
const FILES = `SELECT relname AS name, pg_relation_filenode(oid) AS file, (SELECT json_agg(attstorage ORDER BY attnum) FROM pg_attribute WHERE attrelid = pg_class.oid) AS stored
  FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i', 'p') AND relname NOT LIKE 'migrations%' ORDER BY relname`;

test("an upgrade removes secrets from the statistics for good, even after ANALYZE, and rewrites none of their tables", async () => {
  const connection = await makeOldDatabase(await cluster.makeDatabase(), 2);
  await using beside = new SQL({ ...connection, adapter: "postgres", max: 1 });
  const { marker } = markedCiphertext(1);
  await beside
    .unsafe(
      `
    INSERT INTO teams VALUES ('team', 'team', 0);
    INSERT INTO identities VALUES ('idn', 'team', 'idn', 'automation', '[]', 0);
    INSERT INTO ciphertexts SELECT 'sec_' || g, '${marker}' || g, g % 2 FROM generate_series(1, 200) AS g;
    INSERT INTO request_notes SELECT 'req_' || g, 1, '${marker}' || g, g % 2 FROM generate_series(1, 200) AS g;
    INSERT INTO webhooks SELECT 'web_' || g, 'team', 'https://${marker}' || g, 'json', NULL, false, '${marker}a' || g, '${marker}b' || g, 0, 0, NULL, NULL, 0, ''
      FROM generate_series(1, 200) AS g;
    INSERT INTO api_keys SELECT 'key_' || g, 'idn', '${marker}a'::bytea || int4send(g), NULL, 'hint', 0 FROM generate_series(1, 200) AS g;
    INSERT INTO person_tokens SELECT '${marker}b'::bytea || int4send(g), 'idn', 'session', 0, 0 FROM generate_series(1, 200) AS g;
    INSERT INTO idempotent_calls SELECT '${marker}c'::bytea || int4send(g), '${marker}d'::bytea || int4send(g), 'team', 'sec', 0 FROM generate_series(1, 200) AS g;
    ANALYZE`,
    )
    .simple();
  // A partitioned table has statistics of its own beside those of its partitions.
  const known = async () => {
    const rows = (await beside.unsafe(
      `SELECT DISTINCT starelid::regclass || '.' || attname AS column FROM pg_statistic AS s JOIN pg_attribute ON attrelid = starelid AND attnum = staattnum
       WHERE strpos(s::text, $1) > 0 OR strpos(s::text, encode($1::bytea, 'hex')) > 0 ORDER BY 1`,
      [marker],
    )) as { column: string }[];
    return rows.map(({ column }) => column);
  };
  expect(await known()).toEqual([
    "api_keys.token_hash",
    "ciphertexts.ciphertext",
    "ciphertexts_0.ciphertext",
    "ciphertexts_1.ciphertext",
    "idempotent_calls.digest",
    "idempotent_calls.fingerprint",
    "person_tokens.token_hash",
    "request_notes.ciphertext",
    "request_notes_0.ciphertext",
    "request_notes_1.ciphertext",
    "webhooks.former_secret",
    "webhooks.secret",
    "webhooks.url",
  ]);
  const readFiles = async () => (await beside.unsafe(FILES)) as { name: string; file: number; stored: string[] }[];
  const files = await readFiles();
  const { store } = await openOver(connection, createTestClock());
  await store.close();
  expect(await known()).toEqual([]);
  const after = new Map((await readFiles()).map((each) => [each.name, each]));
  // A table may have columns more behind the others.
  // The lengths of secrets have become larger since.
  const unwritten = files.filter(({ name }) => !name.startsWith("secrets"));
  const same = unwritten.map(({ name, stored }) => ({
    ...after.get(name),
    stored: after.get(name)?.stored.slice(0, stored.length),
  }));
  expect(same).toEqual(unwritten);
  await beside.unsafe("ANALYZE");
  expect(await known()).toEqual([]);
});
