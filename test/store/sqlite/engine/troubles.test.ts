import { expect, test } from "bun:test";
import { openSqliteStorage } from "../../../support/sqlite-storage.ts";
import { addTeam, openUnderTest } from "../../../support/stores.ts";

test("a database that another process has locked is reported as a trouble until it is released", async () => {
  const storage = openSqliteStorage();
  await using place = await openUnderTest(storage);
  const troubles = async () => (await place.store.findTroubles()).map(({ code, isSerious }) => ({ code, isSerious }));
  const lock = await storage.lockWrites();
  expect(await troubles()).toEqual([]);
  const waiting = addTeam(place);
  await lock.waitedFor();
  expect(await troubles()).toEqual([{ code: "locked", isSerious: true }]);
  await lock[Symbol.asyncDispose]();
  await waiting;
  expect(await troubles()).toEqual([]);
});
