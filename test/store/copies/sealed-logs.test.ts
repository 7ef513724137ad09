import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { LogState } from "../../../src/domain/values/log-checks.ts";
import { restoreBackup } from "../../../src/store/copies/folder-restores.ts";
import { inspectLog as inFolder } from "../../../src/store/copies/inspections.ts";
import { moveToPostgres } from "../../../src/store/copies/moves.ts";
import { openBackupOrigin } from "../../../src/store/copies/postgres-backups.ts";
import type { ConnectionOptions } from "../../../src/store/postgres/engine/database.ts";
import { inspectLog as inPostgres } from "../../../src/store/postgres/inspections.ts";
import { openFolder } from "../../support/filled-stores.ts";
import { openOver } from "../../support/postgres.ts";
import { sharedPostgres } from "../../support/shared-postgres.ts";
import { inDatabase } from "../../support/sqlite-files.ts";
import { addSecret, addTeam, claim, MINUTE, OPERATOR, sweepAll, TOMBSTONE_MS } from "../../support/stores.ts";
import type { WorkingStore } from "../../support/stores.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { createTestClock } from "../../support/test-clocks.ts";
import type { TestClock } from "../../support/test-clocks.ts";

const cluster = await sharedPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

/** Writes events of a team, and seals them. */
async function addSealed(place: WorkingStore, teamId: string, time: TestClock): Promise<void> {
  for (let n = 0; n < 3; n++) await claim(place, await addSecret(place, teamId));
  time.advance(MINUTE);
  await sweepAll(place);
}

/** Backs the database up, and restores it into the folder `to`. */
async function restoreFrom(connection: ConnectionOptions, to: string, place: WorkingStore): Promise<void> {
  await using origin = await openBackupOrigin(connection);
  await restoreBackup({
    folder: to,
    write: async (path) => void (await origin.write(path, true)),
    given: "all.backup",
    keepSecrets: true,
    tombstoneSeconds: TOMBSTONE_MS / 1000,
    operator: OPERATOR,
    clock: place.clock,
    ids: place.ids,
  });
}

const hashIn = (state: LogState | undefined) => state?.last?.hash.toHex() ?? "";
const logOf = (folder: string, hash?: string) => inFolder(join(folder, "handoff.db"), hash);

test("a log goes on with its seals after a move, a backup and a restore", async () => {
  using root = temporaryFolder();
  const [source, restored] = [join(root.path, "source"), join(root.path, "restored")];
  const time = createTestClock();
  const first = openFolder(source, time);
  const [teamId, gone] = [await addTeam(first, "ops"), await addTeam(first, "gone")];
  await addSealed(first, teamId, time);
  const kept = hashIn(await logOf(source));
  await addSealed(first, gone, time);
  await first.store.closeTeam(gone, true);
  await first.store.deleteTeam(gone);
  await first.store.close();

  const connection = await cluster.makeDatabase();
  await moveToPostgres(source, { connection, address: "postgresql://db.test/handoff" }, OPERATOR);
  expect(await inPostgres(connection, kept)).toMatchObject({ gaps: [], isKnown: true });
  const second = await openOver(connection, time);
  await addSealed(second, teamId, time);
  const moved = await inPostgres(connection, kept);
  expect(moved).toMatchObject({ gaps: [], isKnown: true });
  expect(hashIn(moved)).not.toBe(kept);
  await restoreFrom(connection, restored, second);
  await second.store.close();

  expect(await logOf(restored, hashIn(moved))).toMatchObject({ gaps: [], isKnown: true });
  const third = openFolder(restored, time);
  await addSealed(third, teamId, time);
  await third.store.close();
  expect(await logOf(restored, hashIn(moved))).toMatchObject({ gaps: [], isKnown: true });
  expect(hashIn(await logOf(restored))).not.toBe(hashIn(moved));
  // The lines of each of the three are under seal.
  for (const rank of [0, 7, 13]) {
    inDatabase(restored, (database) => {
      database.run(
        `UPDATE events SET reference = 'OPS-${rank}' WHERE seq = (SELECT seq FROM events ORDER BY seq LIMIT 1 OFFSET ${rank})`,
      );
    });
  }
  expect((await logOf(restored))?.gaps).toHaveLength(3);
});

test("a log without lines goes on in a restored folder, where places are given away again", async () => {
  using root = temporaryFolder();
  const time = createTestClock();
  const connection = await cluster.makeDatabase();
  const place = await openOver(connection, time);
  const teamId = await addTeam(place);
  await addSealed(place, teamId, time);
  const kept = hashIn(await inPostgres(connection));
  time.advance(2 * TOMBSTONE_MS);
  await sweepAll(place);
  time.advance(2 * TOMBSTONE_MS);
  await sweepAll(place);
  expect(await place.store.listEvents(teamId, undefined, 10)).toEqual([]);
  await restoreFrom(connection, root.path, place);
  await place.store.close();
  expect(await logOf(root.path, kept)).toMatchObject({ gaps: [] });
  const restored = openFolder(root.path, time);
  await addSealed(restored, teamId, time);
  await restored.store.close();
  expect(await logOf(root.path)).toMatchObject({ gaps: [] });
  inDatabase(root.path, (database) => void database.run("DELETE FROM events WHERE seq = 2"));
  expect((await logOf(root.path))?.gaps).toMatchObject([{ teamId, sealed: 6, found: 5 }]);
});
