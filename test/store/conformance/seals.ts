import { expect, test } from "bun:test";
import type { LogState } from "../../../src/domain/values/log-checks.ts";
import { addRequest, addSecret, addTeam, claim, DAY, MINUTE, sweepAll, TOMBSTONE_MS } from "../../support/stores.ts";
import type { OpenStore, StoreUnderTest } from "../../support/stores.ts";

/** Writes some events of two teams, a minute apart, and seals each. */
async function fill(place: StoreUnderTest) {
  const [teamId, others] = [await addTeam(place, "ops"), await addTeam(place, "others")];
  const secrets: string[] = [];
  for (let n = 0; n < 4; n++) {
    const secret = await addSecret(place, teamId, { maxClaims: 2, createdBy: "idn_1", reference: `OPS-${n}` });
    await claim(place, secret);
    await addSecret(place, others);
    secrets.push(secret.id);
    place.time.advance(2 * MINUTE);
    await sweepAll(place);
  }
  return { teamId, others, secrets };
}

async function check(place: StoreUnderTest, hash?: string): Promise<LogState> {
  const state = await place.checkLog(hash);
  if (!state) throw new Error("the database has no seals");
  return state;
}

const lastOf = async (place: StoreUnderTest) => (await check(place)).last?.hash.toHex() ?? "";

export function describeSeals(open: OpenStore): void {
  test("a log is as it was sealed, after a restart too, and nothing is sealed before it is a minute old", async () => {
    await using place = await open();
    expect(await check(place)).toEqual({ last: undefined, startsAt: 0, gaps: [], isKnown: false, unsealed: [] });
    const teamId = await addTeam(place);
    await addSecret(place, teamId);
    await sweepAll(place);
    const fresh = await check(place);
    expect(fresh.last).toBeUndefined();
    expect(fresh.unsealed).toEqual([{ teamId, since: expect.any(Number) }]);
    await fill(place);
    const first = await lastOf(place);
    expect(await check(place, first)).toMatchObject({ gaps: [], isKnown: true, startsAt: 0, unsealed: [] });
    await place.reopen();
    const since = place.clock.now();
    await addRequest(place, teamId);
    place.time.advance(1000);
    await addRequest(place, teamId);
    expect((await check(place)).unsealed).toEqual([{ teamId, since }]);
    place.time.advance(MINUTE);
    await sweepAll(place);
    expect(await lastOf(place)).not.toBe(first);
    expect(await check(place, first)).toMatchObject({ gaps: [], isKnown: true });
    // Every log begins with these zeros.
    expect(await check(place, "0".repeat(64))).toMatchObject({ gaps: [], isKnown: false });
    // Nothing is new.
    const last = await lastOf(place);
    place.time.advance(DAY);
    await sweepAll(place);
    expect(await lastOf(place)).toBe(last);
  });

  for (const [what, sql, found] of [
    [
      "a line that was taken out",
      (id: string) => `DELETE FROM events WHERE secret_id = '${id}' AND type = 'secret.claimed'`,
      1,
    ],
    [
      "a line whose actor was changed",
      (id: string) => `UPDATE events SET address = 'eve@a.test' WHERE secret_id = '${id}'`,
      2,
    ],
    [
      "a line whose ticket was changed",
      (id: string) => `UPDATE events SET reference = NULL WHERE secret_id = '${id}'`,
      2,
    ],
    ["lines of another team", (id: string) => `UPDATE events SET team_id = 'tea_x' WHERE secret_id = '${id}'`, 0],
  ] as const) {
    test(`${what} is found, with its team and between which seals it was`, async () => {
      await using place = await open();
      const { teamId, secrets } = await fill(place);
      const [before, after] = [place.clock.now() - 6 * MINUTE, place.clock.now() - 4 * MINUTE];
      await place.run(sql(secrets[2] ?? ""));
      const { gaps } = await check(place);
      expect(gaps[0]).toMatchObject({ teamId, sealed: 2, found });
      expect(gaps.map(({ teamId: id }) => id)).toEqual(found === 0 ? [teamId, "tea_x"] : [teamId]);
      expect(gaps[0]?.from).toBeGreaterThanOrEqual(before - MINUTE);
      expect(gaps[0]?.until).toBeLessThanOrEqual(after + MINUTE);
    });
  }

  test("a team that is gone was deleted only if the log of admin commands says so", async () => {
    await using place = await open();
    const { teamId } = await fill(place);
    await place.run(`DELETE FROM events WHERE team_id = '${teamId}'`);
    await place.run(`UPDATE events SET team_id = 'tea_x' WHERE team_id <> '${teamId}'`);
    expect((await check(place)).gaps.length).toBeGreaterThan(0);
  });

  test("a line that was put in later, with the time of an earlier one, is found, though it is sealed", async () => {
    await using place = await open();
    const { teamId, secrets } = await fill(place);
    await addSecret(place, teamId);
    await place.run(
      `UPDATE events SET created_at = (SELECT min(created_at) FROM events)
       WHERE id = (SELECT max(id) FROM events) AND secret_id <> '${secrets[0]}'`,
    );
    place.time.advance(2 * MINUTE);
    await sweepAll(place);
    expect((await check(place)).gaps).toMatchObject([{ teamId, found: 1 }]);
  });

  test("seals that were taken out with their lines, or changed, are found", async () => {
    for (const sql of [
      "DELETE FROM event_seals WHERE id = 2",
      "UPDATE event_seals SET parts = replace(parts, ',2,', ',1,') WHERE id = 2",
      "UPDATE event_seals SET ends_at = ends_at - 1 WHERE id = 3",
      "UPDATE event_seals SET id = id + 10 WHERE id > 2",
    ]) {
      await using place = await open();
      await fill(place);
      const last = await lastOf(place);
      await place.run(sql);
      const { gaps } = await check(place, last);
      expect({ sql, gaps }).toEqual({ sql, gaps: [expect.objectContaining({ teamId: undefined })] });
    }
  });

  test("a log that was cut off at its end no longer has the hash that somebody kept", async () => {
    await using place = await open();
    const { secrets } = await fill(place);
    const kept = await lastOf(place);
    await place.run("DELETE FROM event_seals WHERE id = 4");
    await place.run(
      `DELETE FROM events WHERE created_at >= (SELECT min(created_at) FROM events WHERE secret_id = '${secrets[3]}')`,
    );
    expect(await check(place, kept)).toMatchObject({ gaps: [], isKnown: false });
  });

  test("the retention deletes seals with their events, and the log goes on from there", async () => {
    await using place = await open();
    const { teamId } = await fill(place);
    const [seals] = await place.run<{ n: number }>("SELECT count(*) AS n FROM event_seals");
    expect(Number(seals?.n)).toBe(5);
    const before = await check(place);
    place.time.advance(TOMBSTONE_MS - 5 * MINUTE);
    await sweepAll(place);
    const some = await check(place, before.last?.hash.toHex());
    expect(some).toMatchObject({ gaps: [], isKnown: true });
    expect(some.startsAt).toBeGreaterThan(0);
    place.time.advance(3 * TOMBSTONE_MS);
    await sweepAll(place);
    expect(await place.store.listEvents(teamId, undefined, 10)).toEqual([]);
    // SQLite gives the places of the last events away again.
    await addSecret(place, teamId);
    place.time.advance(MINUTE);
    await sweepAll(place);
    const after = await check(place);
    expect(after.gaps).toEqual([]);
    expect(after.last?.id).toBeGreaterThan(before.last?.id ?? 0);
    const [left] = await place.run<{ n: number }>("SELECT count(*) AS n FROM event_seals");
    expect(Number(left?.n)).toBe(2);
    await place.run("UPDATE events SET network = '203.0.113.9'");
    expect((await check(place)).gaps).toMatchObject([{ teamId, sealed: 1, found: 1 }]);
  });

  test("a team is deleted with its events, and the others' stay checked", async () => {
    await using place = await open();
    const { teamId, others } = await fill(place);
    const kept = await lastOf(place);
    // The latest events are those of the team that goes.
    for (let n = 0; n < 3; n++) await addSecret(place, others);
    place.time.advance(MINUTE);
    await sweepAll(place);
    await place.store.closeTeam(others, true);
    expect(await place.store.deleteTeam(others)).toBe(true);
    expect(await check(place, kept)).toMatchObject({ gaps: [], isKnown: true });
    for (let n = 0; n < 3; n++) await addSecret(place, teamId);
    place.time.advance(MINUTE);
    await sweepAll(place);
    expect(await check(place, kept)).toMatchObject({ gaps: [], isKnown: true });
    expect(await lastOf(place)).not.toBe(kept);
    await place.run(`DELETE FROM events WHERE id = (SELECT max(id) FROM events)`);
    expect((await check(place)).gaps).toMatchObject([{ teamId, sealed: 3, found: 2 }]);
    place.time.advance(3 * TOMBSTONE_MS);
    await sweepAll(place);
    expect((await check(place)).gaps).toEqual([]);
  });
}
