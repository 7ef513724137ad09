import { expect, test } from "bun:test";
import { createLog } from "../../../src/cli/server/logs.ts";

test("a line of the log is one of JSON, with level, time, fields and message in this order", () => {
  const lines: string[] = [];
  const log = createLog("info", (line) => void lines.push(line));
  const before = Date.now();
  log.info({ route: "/\n", key_id: null, code: undefined }, "request");
  log.warn({}, "beware");
  log.error({ at: ["a", "b"] }, "failure");
  expect(lines.map((line) => line.replace(/"time":\d+/, '"time":0'))).toEqual([
    '{"level":30,"time":0,"route":"/\\n","key_id":null,"msg":"request"}\n',
    '{"level":40,"time":0,"msg":"beware"}\n',
    '{"level":50,"time":0,"at":["a","b"],"msg":"failure"}\n',
  ]);
  expect(JSON.parse(lines[0] ?? "").time).toBeWithin(before, Date.now() + 1);
});

test("lines below the level are left out, and with silent all of them", () => {
  for (const [level, kept] of [
    ["info", ["info", "warn", "error"]],
    ["error", ["error"]],
    ["silent", []],
  ] as const) {
    const lines: string[] = [];
    const log = createLog(level, (line) => void lines.push(line));
    for (const name of ["info", "warn", "error"] as const) log[name]({}, name);
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([...kept]);
  }
});
