import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mountTmpfs } from "../../support/mounts.ts";
import { createdIn } from "../../support/postgres-load.ts";
import { openOver, startPostgres } from "../../support/postgres.ts";
import { refusalOf } from "../../support/secrets.ts";
import { addSecret, addTeam, claim } from "../../support/stores.ts";
import { createTestClock } from "../../support/test-clocks.ts";

const MIB = 1024 * 1024;
/** More than the free space in a page of a table. */
const LARGE = "a".repeat(100_000);

/** Opens a store over PostgreSQL on a small disk of its own, which can be filled. */
async function openSmall() {
  const disk = mountTmpfs("160m");
  const settings = { min_wal_size: "32MB", max_wal_size: "32MB" };
  const cluster = await startPostgres(settings, { path: disk.path, [Symbol.dispose]: () => undefined });
  const connection = await cluster.makeDatabase();
  const place = await openOver(connection, createTestClock());
  const neighbour = await openOver(connection, createTestClock());
  const filler = join(disk.path, "filler");
  return {
    cluster,
    place,
    neighbour,
    teamId: await addTeam(place),
    fill: () => expect(() => writeFileSync(filler, Buffer.alloc(160 * MIB))).toThrow("ENOSPC"),
    makeRoom: () => rmSync(filler),
    async [Symbol.asyncDispose]() {
      await Promise.all([place.store.close(), neighbour.store.close()]);
      await cluster[Symbol.asyncDispose]();
      disk[Symbol.dispose]();
    },
  };
}

test("on a full disk creations are refused and claims succeed, even in one batch, on every server", async () => {
  await using small = await openSmall();
  const { place, teamId, neighbour } = small;
  const made = await Promise.all(Array.from({ length: 10 }, () => addSecret(place, teamId)));
  small.fill();
  const createLarge = () => addSecret(place, teamId, { ciphertext: LARGE });
  const refusals = Promise.all([refusalOf(createLarge()), refusalOf(createLarge())]);
  const claims = await Promise.all(made.map(({ id }) => claim(place, { id, teamId })));
  expect(claims.map((outcome) => outcome?.kind)).toEqual(made.map(() => "claimed"));
  expect(await refusals).toEqual(["storage_unavailable", "storage_unavailable"]);
  expect(await place.store.findTroubles()).toMatchObject([{ code: "no_room", isSerious: true }]);
  while ((await neighbour.store.findTroubles())[0]?.code !== "no_room");
  small.makeRoom();
  expect(await createLarge()).toMatchObject({ state: "available" });
  expect(await place.store.findTroubles()).toEqual([]);
  while ((await neighbour.store.findTroubles()).length > 0);
}, 60_000);

test("no acknowledged write is lost when PostgreSQL stops because its WAL has no room", async () => {
  await using small = await openSmall();
  const { cluster, place, teamId } = small;
  const made = await Promise.all(Array.from({ length: 20 }, () => addSecret(place, teamId)));
  const claimed = new Set<string>();
  small.fill();
  for (let isOver = false; !isOver;) {
    for (const { id } of made) {
      const outcome = await claim(place, { id, teamId }).catch(() => undefined);
      if (outcome?.kind === "claimed") claimed.add(id);
    }
    await cluster.run("SELECT pg_logical_emit_message(true, '', repeat('x', 1000000))").catch(() => (isOver = true));
  }
  expect(await refusalOf(addSecret(place, teamId))).toBe("storage_unavailable");
  expect(await place.store.findTroubles()).toMatchObject([{ code: "unreachable", isSerious: true }]);
  small.makeRoom();
  await cluster.crash();
  await cluster.start();
  while ((await place.store.findTroubles()).length > 0);
  expect(await createdIn(place, teamId)).toHaveLength(made.length);
  for (const { id } of made) {
    expect(await place.store.findSecret(teamId, id)).toMatchObject({ claims: claimed.has(id) ? 1 : 0 });
  }
  await addSecret(place, teamId);
}, 60_000);
