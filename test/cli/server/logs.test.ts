import { expect, test } from "bun:test";
import { createLog } from "../../../src/cli/server/logs.ts";
import { useLogFormat, usePriorities, withPriority } from "../../../src/cli/terminal/log-lines.ts";

test("a line of the log is one of JSON, with the level as a word, the time in RFC 3339, fields and message in this order", () => {
  const lines: string[] = [];
  const log = createLog("info", (line) => void lines.push(line));
  const before = Date.now();
  log.info({ route: "/\n", key_id: null, code: undefined }, "request");
  log.warn({}, "beware");
  log.error({ at: ["a", "b"] }, "failure");
  const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/;
  expect(lines.map((line) => line.replace(time, "TIME"))).toEqual([
    '{"level":"info","time":"TIME","route":"/\\n","key_id":null,"msg":"request"}\n',
    '{"level":"warn","time":"TIME","msg":"beware"}\n',
    '{"level":"error","time":"TIME","at":["a","b"],"msg":"failure"}\n',
  ]);
  expect(Date.parse(JSON.parse(lines[0] ?? "").time)).toBeWithin(before, Date.now() + 1);
});

test("a line of text has time, level, message and fields, and what could be taken for another line is escaped", () => {
  using _ = inText();
  const lines: string[] = [];
  const log = createLog("info", (line) => void lines.push(line));
  log.info({ route: "/s/{id}", status: 200, key_id: null, code: undefined }, "request");
  log.error({ at: ["a"], error: "a b\nc=\u001b[31m", name: "two words" }, "failure");
  const after = (line = "") => line.slice("2026-11-28T14:58:00.000Z ".length);
  expect(lines.map(after)).toEqual([
    "info  request route=/s/{id} status=200 key_id=-\n",
    String.raw`error failure at=["a"] error="a b\nc=\u001b[31m" name="two words"` + "\n",
  ]);
  expect(Number.isNaN(Date.parse(lines[0]?.split(" ")[0] ?? ""))).toBe(false);
});

/** Has lines written as text until it is disposed of. */
function inText(): Disposable {
  useLogFormat("text");
  return { [Symbol.dispose]: () => useLogFormat("json") };
}

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

test("for systemd's journal a line begins with its priority, and of several each does", () => {
  usePriorities(true);
  try {
    const lines: string[] = [];
    const log = createLog("info", (line) => void lines.push(line));
    log.info({ note: "a\u2028b" }, "a");
    log.warn({}, "a");
    log.error({}, "a\nb");
    expect(lines.map((line) => line.slice(0, 4))).toEqual(["<6>{", "<4>{", "<3>{"]);
    expect(JSON.parse(lines[0]?.slice(3) ?? "")).toMatchObject({ note: "a\u2028b" });
    expect(withPriority("fatal", "a\nb")).toBe("<2>a\n<2>b");
  } finally {
    usePriorities(false);
  }
  expect(withPriority("fatal", "a\nb")).toBe("a\nb");
});
