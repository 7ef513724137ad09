import { afterEach, expect, setSystemTime, test } from "bun:test";
import { useState } from "preact/hooks";
import { useTimeLeft } from "../../../src/web/viewing/time-left.tsx";
import { untilQuiet, useHere } from "../hooks.ts";

const MINUTE = 60_000;

afterEach(() => void setSystemTime());

test("the time left counts from now, however long the screen was shown before", async () => {
  setSystemTime(0);
  let until: number | null = null;
  let redraw = () => {};
  using shown = useHere(() => {
    const [, setDraws] = useState(0);
    redraw = () => setDraws((draws) => draws + 1);
    return useTimeLeft(until);
  });
  expect(shown.current()).toBe(0);
  setSystemTime(60 * MINUTE);
  until = 65 * MINUTE;
  redraw();
  await untilQuiet();
  expect(shown.current()).toBe(5 * MINUTE);
});
