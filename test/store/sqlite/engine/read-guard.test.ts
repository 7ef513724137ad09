import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { refusalOf } from "../../../support/secrets.ts";
import { openTestService } from "../../../support/service.ts";
import type { TestService } from "../../../support/service.ts";
import { openSqliteStorage } from "../../../support/sqlite-storage.ts";
import { addSecret, addTeam, newSecret } from "../../../support/stores.ts";

const PAGE_BYTES = 4096;
const TEXT = "damaged-".repeat(2000);

/** Damage that a failing disk can do to a ciphertext. The database file at `path` is changed while it is closed. */
const DAMAGES: readonly [what: string, damage: (path: string) => void][] = [
  [
    "with a byte that none has",
    (path) => {
      using database = new Database(path);
      database.run("UPDATE ciphertexts SET ciphertext = replace(ciphertext, 'd', char(255))");
    },
  ],
  [
    "whose pages do not hang together any more",
    (path) => {
      const bytes = readFileSync(path);
      const place = bytes.indexOf("damaged-damaged-");
      // The first four bytes of an overflow page are the number of the next page.
      bytes.fill(0xff, place - (place % PAGE_BYTES), place - (place % PAGE_BYTES) + 4);
      writeFileSync(path, bytes);
    },
  ],
];

const placeOf = (backend: TestService) => {
  const { store, clock, ids } = backend.service;
  return { ...backend, store, clock, ids, time: backend.clock, reopen: async () => undefined };
};

for (const [what, damage] of DAMAGES) {
  test(`repeated claims of a ciphertext ${what} don't block other calls`, async () => {
    const storage = openSqliteStorage();
    await using backend = await openTestService({}, storage);
    const teamId = await addTeam(placeOf(backend));
    const { id } = await addSecret(placeOf(backend), teamId, { ciphertext: TEXT });
    await backend.service.store.close();
    damage(join(storage.folder, "handoff.db"));
    await backend.reopen();
    const place = placeOf(backend);
    for (let n = 0; n < 5; n++) {
      const claim = place.store.claimSecret({ id, teamId, actorId: null, call: undefined });
      expect(await refusalOf(claim)).toBe("storage_unavailable");
      expect((await place.store.createSecret(newSecret(place, teamId))).kind).toBe("created");
      expect(await place.store.findTroubles()).toEqual([
        { code: "damaged", message: expect.stringContaining("everything else works"), isSerious: false },
      ]);
    }
  });
}
