import { expect, test } from "bun:test";
import { LATEST_VERSION } from "../../src/store/sqlite/engine/migrations.ts";
import { OLD_DATABASES, OLD_TIME, writeOldDatabase } from "../support/old-databases.ts";
import { startTestServer } from "../support/server.ts";
import { openSqliteStorage } from "../support/sqlite-storage.ts";
import { createTestClock } from "../support/test-clocks.ts";

test("an old database exists for every earlier schema", () => {
  const versions = Array.from({ length: LATEST_VERSION - 1 }, (_, n) => n + 1);
  expect(OLD_DATABASES.map(({ version }) => version)).toEqual(expect.arrayContaining(versions));
});

test.each(OLD_DATABASES.map((old) => [old.version, old] as const))(
  "calls over schema %d get the same answers from this version, with keys and with links",
  async (_version, old) => {
    const storage = openSqliteStorage();
    writeOldDatabase(old, storage.folder);
    await using server = await startTestServer({ storage, clock: createTestClock(OLD_TIME) });
    for (const { path, token, idempotencyKey, body, status, answer } of old.calls) {
      const again = await server.call("POST", path, {
        token,
        headers: { "idempotency-key": idempotencyKey },
        ...(body === null ? {} : { body }),
      });
      expect({ path, status: again.status, answer: again.json }).toMatchObject({ path, status, answer });
      expect(again.headers.get("idempotency-replayed")).toBe("true");
    }
    expect(old.calls.filter(({ path }) => path.endsWith("/claim")).length).toBeGreaterThanOrEqual(2);
    const { storedBytes, recountedBytes } = await storage.look();
    expect(storedBytes).toBe(recountedBytes);
  },
);
