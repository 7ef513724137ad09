import { expect, test } from "bun:test";
import type { LargeNews } from "../../../../src/web/composing/large/messages.ts";
import { troubleAfter } from "../../../../src/web/composing/large/troubles.ts";
import type { Trouble } from "../../../../src/web/composing/large/troubles.ts";

const after = (...news: readonly LargeNews[]) =>
  news.reduce<Trouble | undefined>((trouble, each) => troubleAfter(trouble, each), undefined);
const setback = (code: "connection_lost" | "server_busy" | "storage_unavailable" | "offset_mismatch") =>
  ({ kind: "setback", code }) as const;
const ANSWERED = { kind: "answered" } as const;
const sent = (bytes: number, stored: number) => ({ kind: "progress", sent: bytes, stored, total: 100 }) as const;

test("a lost connection is over with the next answer, whatever it says", () => {
  expect(after(setback("connection_lost"))).toBe("line");
  expect(after(setback("connection_lost"), sent(20, 10))).toBe("line");
  expect(after(setback("connection_lost"), ANSWERED)).toBeUndefined();
});

test("a server that answers, and stores nothing, is still in trouble until it stores something", () => {
  for (const [code, trouble] of [
    ["server_busy", "server"],
    ["storage_unavailable", "storage"],
  ] as const) {
    expect(after(setback(code), ANSWERED, sent(20, 10))).toBe(trouble);
    expect(after(setback(code), ANSWERED, sent(20, 10), sent(20, 20))).toBeUndefined();
  }
});

test("what is only sent again is no trouble", () => {
  expect(after(setback("offset_mismatch"))).toBeUndefined();
});
