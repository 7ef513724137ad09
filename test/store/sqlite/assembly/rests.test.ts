import { Database } from "bun:sqlite";
import { expect, spyOn, test } from "bun:test";
import { startResting } from "../../../../src/store/sqlite/assembly/rests.ts";
import { until } from "../../../support/polls.ts";

/** Uses this many microseconds of processor time. */
function work(micros: number): void {
  for (const before = process.cpuUsage(); ;) {
    const { user, system } = process.cpuUsage(before);
    if (user + system >= micros) return;
  }
}

test("garbage is collected once the thread is idle: after the start, and after every load", async () => {
  using database = new Database(":memory:");
  using collector = spyOn(Bun, "gc");
  const untilCollected = async (times: number) => {
    await until(() => collector.mock.calls.length >= times, 50);
  };
  const stop = startResting(database);
  await untilCollected(1);
  work(600_000);
  expect(collector).toHaveBeenCalledTimes(1);
  await untilCollected(2);
  stop();
}, 60_000);

test("a database that can't be queried prevents neither the garbage collection nor the end", async () => {
  const database = new Database(":memory:");
  database.close();
  using collector = spyOn(Bun, "gc");
  const stop = startResting(database);
  await until(() => collector.mock.calls.length > 0, 50);
  stop();
  expect(collector).toHaveBeenCalled();
}, 60_000);
