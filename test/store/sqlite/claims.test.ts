import { expect, test } from "bun:test";
import { createMonotonicClock, systemClock } from "../../../src/domain/values/clocks.ts";
import { createIds } from "../../../src/domain/values/ids.ts";
import { systemRandom } from "../../../src/domain/values/random.ts";
import { openStore } from "../../../src/store/sqlite/assembly/store.ts";
import { heldBytes, inDatabase, recountStoredBytes } from "../../support/sqlite-files.ts";
import { openSqliteSecrets } from "../../support/sqlite-secrets.ts";
import { claimInProcesses } from "../../support/store-processes.ts";
import { temporaryFolder } from "../../support/temporary.ts";

test("of four processes that claim the same secrets at the same time, only one gets each secret", async () => {
  using folder = temporaryFolder();
  const clock = createMonotonicClock(systemClock);
  const ids = createIds(clock, systemRandom);
  const store = openStore({ folder: folder.path, clock, ids, tombstoneSeconds: 86_400, ballastBytes: 0 });
  const team = {
    id: ids.next("team"),
    name: "team",
    createdAt: clock.now(),
    storedBytes: 0,
    quotaBytes: null,
    rules: null,
  };
  await store.createTeam(team);
  const wanted = Array.from({ length: 400 }, () => ids.next("secret"));
  await Promise.all(
    wanted.map((id) =>
      store.createSecret({
        record: {
          id,
          teamId: team.id,
          state: "available",
          envelopeVersion: 1,
          ciphertextBytes: id.length,
          ciphertextFormat: "unrecognized",
          createdAt: clock.now(),
          expiresAt: clock.now() + 60_000,
          maxClaims: 1,
          claims: 0,
          endedAt: null,
          createdBy: null,
          requestId: null,
          senderId: null,
          reference: null,
          addressees: null,
          approval: null,
        },
        ciphertext: id,
        claimTokenHash: new Uint8Array(32),
        quotaBytes: 100_000_000,
        call: undefined,
      }),
    ),
  );
  const lists = [wanted, wanted.toReversed(), wanted, wanted.toSorted(() => Math.random() - 0.5)];
  const claims = (await claimInProcesses(folder.path, team.id, lists)).flat();
  expect(claims.map(({ id }) => id).toSorted()).toEqual(wanted.toSorted());
  expect(claims.every(({ id, ciphertext }) => id === ciphertext)).toBe(true);
  const claimedEvents =
    "SELECT count(*) AS n, count(DISTINCT secret_id) AS secrets FROM events WHERE type LIKE '%claimed'";
  expect(inDatabase(folder.path, (database) => database.query(claimedEvents).get())).toEqual({ n: 400, secrets: 400 });
  expect(heldBytes(folder.path)).toBe(0);
  expect((await store.listTeams())[0]?.storedBytes).toBe(recountStoredBytes(folder.path));
  await store.close();
});

test("a failed operation fails only its own caller, and its event is not delivered", async () => {
  await using secrets = await openSqliteSecrets();
  const [first, bad, last] = await Promise.all(["one", "two", "three"].map((text) => secrets.create(text)));
  // The ciphertext is deleted last, apart from updating the team's bytes.
  inDatabase(secrets.folder, (database) =>
    database.run(
      `CREATE TRIGGER fail AFTER DELETE ON ciphertexts
       WHEN OLD.secret_seq = (SELECT seq FROM secrets WHERE id = '${bad?.id}') BEGIN SELECT RAISE(ABORT, 'no'); END`,
    ),
  );
  const received: (string | null)[] = [];
  secrets.backend.service.store.subscribe((event) => void received.push(event.secretId));
  const results = await Promise.allSettled([first, bad, last].map((secret) => secrets.claim(secret?.id ?? "")));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(received).toEqual([first?.id ?? "", last?.id ?? ""]);
  expect(await secrets.find(bad?.id ?? "")).toMatchObject({ state: "available", claims: 0 });
  inDatabase(secrets.folder, (database) => database.run("DROP TRIGGER fail"));
  expect((await secrets.claim(bad?.id ?? "")).envelope.ciphertext).toBe("two");
});

test("when SQLite rolls back or COMMIT fails, all calls are rejected and nothing has changed", async () => {
  await using secrets = await openSqliteSecrets();
  const { id } = await secrets.create("ciphertext");
  const triggers = {
    "the transaction is rolled back": "SELECT RAISE(ROLLBACK, 'no');",
    "COMMIT fails": "INSERT INTO orphans VALUES ('nobody');",
  };
  const inOwn = (sql: string) => inDatabase(secrets.folder, (database) => database.run(sql));
  inOwn("CREATE TABLE orphans (team REFERENCES teams (id) DEFERRABLE INITIALLY DEFERRED)");
  const received: string[] = [];
  secrets.backend.service.store.subscribe((event) => void received.push(event.type));
  for (const [what, body] of Object.entries(triggers)) {
    inOwn(`CREATE TRIGGER fail AFTER UPDATE OF claims ON secrets BEGIN ${body} END`);
    const results = await Promise.allSettled([secrets.create("other"), secrets.claim(id), secrets.create("another")]);
    inOwn("DROP TRIGGER fail");
    expect({ what, results: results.map(({ status }) => status) }).toEqual({
      what,
      results: ["rejected", "rejected", "rejected"],
    });
    expect(secrets.query("SELECT id, state, claims FROM secrets")).toEqual([{ id, state: "available", claims: 0 }]);
    expect(secrets.heldBytes()).toBe("ciphertext".length);
    expect(secrets.storedBytes()).toBe(recountStoredBytes(secrets.folder));
  }
  expect(received).toEqual([]);
  expect((await secrets.claim(id)).envelope.ciphertext).toBe("ciphertext");
});
