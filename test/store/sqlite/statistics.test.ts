import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { openTestService } from "../../support/service.ts";
import { openSqliteStorage } from "../../support/sqlite-storage.ts";

test("states are counted in steps, wherever a step ends, and only an index is read", async () => {
  const storage = openSqliteStorage();
  await using backend = await openTestService({}, storage);
  const teams = [];
  for (const team of ["one", "two", "three"]) teams.push((await backend.mint({ team })).key.identity.teamId);
  const database = new Database(join(storage.folder, "handoff.db"));
  const insert = database.query(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO secrets (id, team_id, state, envelope_version, ciphertext_bytes, ciphertext_format, created_at, expires_at, max_claims, claims, claim_token_hash, due_at)
     SELECT ?2 || ?3 || i, ?2, ?3, 1, 4, 'age', 1, 9e15, 1, 0, randomblob(32), 9e15 FROM n`,
  );
  const counts = [4001, 1, 2000, 1999, 37];
  const places = [
    [teams[0], "available"],
    [teams[0], "claimed"],
    [teams[1], "expired"],
    [teams[1], "revoked"],
    [teams[2], "available"],
  ] as const;
  for (const [i, [team, state]] of places.entries()) insert.run(counts[i] ?? 0, team ?? "", state);
  const plan = database
    .query(
      "EXPLAIN QUERY PLAN SELECT id FROM secrets WHERE (team_id, state, id) > ('', '', '') ORDER BY team_id, state, id",
    )
    .all();
  database.close();
  expect(JSON.stringify(plan)).toContain("COVERING INDEX secrets_team_state");
  const found = await backend.service.store.countStates();
  const expected = places.map(([teamId, state], i) => ({ kind: "secret" as const, teamId, state, count: counts[i] }));
  expect(found.toSorted((a, b) => a.count - b.count)).toMatchObject(
    expected.toSorted((a, b) => (a.count ?? 0) - (b.count ?? 0)),
  );
});
