import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import type { AskEnd } from "../../../src/client/signing-in/ask-ends.ts";
import { useFirstEnd } from "../../../src/web/activity/ask-ends.ts";
import { untilQuiet, useHere } from "../hooks.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const MINUTE = 60_000;
beforeEach(() => void jest.useFakeTimers({ now: NOW }));
afterEach(() => void jest.useRealTimers());

/** Asks that are over after so many minutes. */
const asksFor = (...minutes: readonly number[]): AskEnd[] =>
  minutes.map((each) => ({ expires_at: new Date(NOW + each * MINUTE).toISOString() }));

test("asks are read again when the first of them is over, however the clock goes, and not without any", async () => {
  let asks: readonly AskEnd[] | undefined = undefined;
  let read = 0;
  using hook = useHere(() =>
    useFirstEnd(asks, async () => {
      read++;
    }),
  );
  const readAfter = async (minutes: number) => {
    await untilQuiet();
    jest.advanceTimersByTime(minutes * MINUTE);
    return read;
  };
  const show = (next: readonly AskEnd[]) => {
    asks = next;
    hook.redraw();
  };
  expect(await readAfter(90)).toBe(0);
  show([]);
  expect(await readAfter(90)).toBe(0);
  show(asksFor(200, 190, 300));
  expect(await readAfter(9)).toBe(0);
  expect(await readAfter(1)).toBe(1);
  // The server still has what is over by this clock, or names no time: half a minute passes in between.
  for (const late of [asksFor(1), [{ expires_at: "undefined" }]]) {
    const before = read;
    show(late);
    expect(await readAfter(0.4)).toBe(before);
    expect(await readAfter(0.2)).toBe(before + 1);
    expect(await readAfter(60)).toBe(before + 1);
  }
  // What ends later is read later.
  show(asksFor(1000));
  hook[Symbol.dispose]();
  expect(await readAfter(1000)).toBe(3);
});
