import { expect, test } from "bun:test";
import { warnAtStart, warnOfClock } from "../../../src/cli/server/start-warnings.ts";
import { loadSettings } from "../../../src/config/load.ts";
import { openSqliteSecrets } from "../../support/sqlite-secrets.ts";
import { createTestTerminal } from "../../support/terminals.ts";
import { TEST_START } from "../../support/test-clocks.ts";

const YEAR = 365 * 86_400_000;

test("a start with a clock that is years off is told both times, whichever of them is the wrong one", async () => {
  const told: [fields: object, message: string][] = [];
  const log = { warn: (fields: object, message: string) => void told.push([fields, message]) };
  let warn = (_latest: number): void => undefined;
  await using secrets = await openSqliteSecrets({}, { onLatestTime: (latest) => warn(latest) });
  const { clock, reopen } = secrets.backend;
  warn = (latest) => warnOfClock(clock.now(), latest, log);

  await secrets.create("before");
  await reopen();
  expect(told).toEqual([]);
  clock.jump(3 * YEAR);
  await reopen();
  const [before, after] = [TEST_START, TEST_START + 3 * YEAR].map((time) => new Date(time).toISOString());
  expect(told).toEqual([
    [{ clock: after, database: before }, expect.stringContaining("a year ahead of the latest time")],
  ]);
  await secrets.create("years ahead");
  await reopen();
  expect(told).toHaveLength(1);
  clock.jump(-3 * YEAR);
  await reopen();
  expect(told.slice(1)).toEqual([
    [{ clock: before, database: after }, expect.stringContaining("is behind the latest time in the database")],
  ]);
  // Nothing was doubted in between, and a new database says nothing about the clock.
  await using _ = await openSqliteSecrets({}, { onLatestTime: (latest) => warn(latest) });
  expect(told).toHaveLength(2);
});

test("a server without TLS warns where other machines reach it, whatever their name begins with", () => {
  const warningsAt = (hostname: string) => {
    const told: string[] = [];
    const write = (_: object, message: string) => void told.push(message);
    const target = { kind: "tcp", hostname, port: 0 } as const;
    const log = { info: write, warn: write, error: write };
    warnAtStart(loadSettings({}, {}), { target, metricsTarget: undefined }, createTestTerminal(), log);
    return told.filter((message) => message.startsWith("other machines can reach this server without TLS")).length;
  };
  expect(["127.0.0.1", "127.1.2.3", "::1", "localhost"].map(warningsAt)).toEqual([0, 0, 0, 0]);
  expect(["0.0.0.0", "::", "10.0.0.1", "127.evil.example"].map(warningsAt)).toEqual([1, 1, 1, 1]);
});
