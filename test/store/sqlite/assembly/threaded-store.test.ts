import { expect, test } from "bun:test";
import { readdirSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createMonotonicClock, systemClock } from "../../../../src/domain/values/clocks.ts";
import { createIds } from "../../../../src/domain/values/ids.ts";
import { systemRandom } from "../../../../src/domain/values/random.ts";
import { openThreadedStore } from "../../../../src/store/sqlite/assembly/threaded-store.ts";
import { DatabaseError } from "../../../../src/store/sqlite/files/errors.ts";
import { openSqliteStorage } from "../../../support/sqlite-storage.ts";
import { addRequest, addSecret, addTeam, claim, DAY, openUnderTest, submit } from "../../../support/stores.ts";
import { temporaryFolder } from "../../../support/temporary.ts";

function open(folder: string) {
  const clock = createMonotonicClock(systemClock);
  const ids = createIds(clock, systemRandom);
  const end = Promise.withResolvers<Error>();
  const settings = { folder, clock, ids, tombstoneSeconds: 86_400, ballastBytes: 0 };
  const store = openThreadedStore({ ...settings, onEnd: end.resolve });
  return {
    store,
    ids,
    clock,
    ended: end.promise,
    newTeam: () => ({
      id: ids.next("team"),
      name: "team",
      createdAt: clock.now(),
      storedBytes: 0,
      quotaBytes: null,
      rules: null,
    }),
  };
}

/** Returns the files below `folder` that this process has open. */
const openFiles = (folder: string) =>
  readdirSync("/proc/self/fd").flatMap((name) => {
    try {
      const path = readlinkSync(join("/proc/self/fd", name));
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return [];
    }
  });

/** Resolves the error that `promise` rejects with. */
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

test("a thread that can't open the database reports why, and waiting calls are refused", async () => {
  using folder = temporaryFolder();
  const { store, ended, newTeam } = open(folder.path);
  // Before the thread has started.
  rmSync(join(folder.path, "handoff.db"));
  const refused = { code: "storage_unavailable" };
  expect(await failureOf(store.createTeam(newTeam()))).toMatchObject(refused);
  const error = await ended;
  expect(error).toBeInstanceOf(DatabaseError);
  expect(error.message).toContain(`cannot use the database '${join(folder.path, "handoff.db")}'`);
  expect(await failureOf(store.createTeam(newTeam()))).toMatchObject(refused);
  expect(await failureOf(store.findTroubles())).toMatchObject(refused);
  await store.close();
});

test("writes that get no turn are refused in time with an unknown outcome, and are never applied later", async () => {
  const settings = { answerPatienceMs: 1500, lockPatienceMs: 60_000 };
  const storage = openSqliteStorage(settings);
  await using place = await openUnderTest(storage);
  const { store } = place;
  const teamId = await addTeam(place);
  const secret = await addSecret(place, teamId);
  const request = await addRequest(place, teamId);
  const { id } = secret;
  const note = { webhookId: "whk_1", revision: 1, deliveries: [], goneAt: null, skipped: [] };
  const progress = { lastEventId: "", failures: 0, rejections: 0, firstFailedAt: null, nextTryAt: null };
  const writes = {
    create: () => addSecret(place, teamId),
    claim: () => claim(place, secret),
    claimByKey: () => claim(place, secret, "key"),
    revoke: () => store.revokeSecret(teamId, id, null),
    ask: () => addRequest(place, teamId),
    submit: () => submit(place, request),
    pause: () => store.setRequestState(teamId, request.id, { state: "paused", actorId: null, quotaBytes: Infinity }),
    revokeRequest: () => store.revokeRequest(teamId, request.id, null),
    team: () => addTeam(place, "late"),
    time: () => store.keepTime(place.clock.now() + DAY),
    webhook: () => store.noteWebhooks([{ ...note, ...progress }]),
  };
  const lock = await storage.lockWrites();
  const outcomes = await Promise.all(Object.values(writes).map((write) => failureOf(write())));
  const refused = { code: "storage_unavailable", options: { outcome: "unknown" } };
  for (const outcome of outcomes) expect(outcome).toMatchObject(refused);
  // The thread learns which writes were refused before the lock is released.
  await new Promise(setImmediate);
  await store.findTroubles();
  await lock[Symbol.asyncDispose]();
  // Later writes succeed.
  expect(await claim(place, secret, "another")).toMatchObject({ kind: "claimed" });
  expect(await submit(place, request)).toMatchObject({ kind: "created" });
  const types = (await store.listEvents(teamId, undefined, 10)).map(({ type }) => type);
  const before = ["secret.created", "request.created"] as const;
  expect(types).toEqual([...before, "secret.claimed", "secret.created", "request.fulfilled"]);
  expect(await store.findTeam("late")).toBeUndefined();
});

test("closing closes both connections, and empties and deletes the WAL", async () => {
  using folder = temporaryFolder();
  const { store, newTeam } = open(folder.path);
  expect(await store.createTeam(newTeam())).toBe("created");
  expect(readdirSync(folder.path)).toContain("handoff.db-wal");
  await store.close();
  await store.close();
  expect(openFiles(folder.path)).toEqual([]);
  expect(readdirSync(folder.path)).toEqual(["handoff.db"]);
});

/** Adds a key to a new team. */
async function addKey({ store, ids, clock, newTeam }: ReturnType<typeof open>) {
  const team = newTeam();
  await store.createTeam(team);
  const identity = {
    id: ids.next("identity"),
    kind: "automation" as const,
    teamId: team.id,
    teamName: team.name,
    name: "script",
    scopes: ["secrets:read" as const],
    personName: null,
    createdAt: clock.now(),
    disabledAt: null,
  };
  await store.createIdentity(identity);
  const hash = new Uint8Array(32).fill(1);
  const ends = { expiresAt: null, revokedAt: null, lastUsedAt: null, exposedAt: null, successorId: null };
  const key = { id: ids.next("key"), name: "0", hint: "hint", networks: null, createdAt: clock.now(), ...ends };
  await store.createKey({ ...key, identity }, hash);
  /** Commits something that changes no key. */
  const commit = () => store.revokeSecret(team.id, ids.next("secret"), null);
  return { hash, team, commit };
}

test("a change of a key by another process takes effect at once, however much is written meanwhile", async () => {
  using folder = temporaryFolder();
  const opened = open(folder.path);
  const { store } = opened;
  const { hash, commit } = await addKey(opened);
  for (let n = 1; n <= 20; n++) {
    expect((await store.findKeyByHash(hash))?.name).toBe(String(n - 1));
    const change = `UPDATE api_keys SET name = '${n}'`;
    const changed = Bun.spawn(["sqlite3", "-cmd", ".timeout 5000", join(folder.path, "handoff.db"), change]);
    while (changed.exitCode === null) await commit();
    expect(changed.exitCode).toBe(0);
    expect((await store.findKeyByHash(hash))?.name).toBe(String(n));
  }
  await store.close();
}, 30_000);

test("a key is read again only after a commit that may have changed it", async () => {
  using folder = temporaryFolder();
  const opened = open(folder.path);
  const { store } = opened;
  const { hash, team, commit } = await addKey(opened);
  const first = await store.findKeyByHash(hash);
  await commit();
  expect(await store.findKeyByHash(hash)).toBe(first as NonNullable<typeof first>);
  await store.renameTeam(team.id, "renamed");
  expect((await store.findKeyByHash(hash))?.identity.teamName).toBe("renamed");
  await store.close();
});
