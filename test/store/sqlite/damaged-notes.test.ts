import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { refusalOf } from "../../support/secrets.ts";
import { openTestService } from "../../support/service.ts";
import { openSqliteStorage } from "../../support/sqlite-storage.ts";
import { addRequest, addTeam } from "../../support/stores.ts";

/** Damage that a failing disk can do to a note. */
const DAMAGES: readonly [what: string, sql: string][] = [
  ["with a byte that no ciphertext has", "replace(ciphertext, 'n', char(255))"],
  ["with a zero byte", "replace(ciphertext, 'n', char(0))"],
  ["without its end", "substr(ciphertext, 1, 5)"],
  ["with something behind it", "ciphertext || 'more'"],
];

for (const [what, sql] of DAMAGES) {
  test(`a note ${what} is refused and reported as a trouble, and its request still ends`, async () => {
    const storage = openSqliteStorage();
    await using backend = await openTestService({}, storage);
    const { store, clock, ids } = backend.service;
    const place = { ...backend, store, clock, ids, time: backend.clock, reopen: async () => undefined };
    const teamId = await addTeam(place);
    const request = await addRequest(place, teamId);
    expect((await store.findNote(teamId, request.id))?.ciphertext).toStartWith("note-of-");
    expect(await store.findTroubles()).toEqual([]);
    using database = new Database(join(storage.folder, "handoff.db"));
    database.run(`UPDATE request_notes SET ciphertext = ${sql}`);
    expect(await refusalOf(store.findNote(teamId, request.id))).toBe("storage_unavailable");
    expect((await store.findTroubles()).map(({ code }) => code)).toEqual(["damaged"]);
    expect(await store.revokeRequest(teamId, request.id, null)).toMatchObject({ state: "revoked" });
    expect(await store.findNote(teamId, request.id)).toBeUndefined();
  });
}
