import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { createProgress, formatSize } from "../../../src/cli/terminal/progress.ts";
import { createTestTerminal } from "../../support/terminals.ts";

let clock: ReturnType<typeof spyOn<Performance, "now">>;
beforeEach(() => void (clock = spyOn(performance, "now")));
afterEach(() => clock.mockRestore());

/** What is shown of a transfer, and what moves its time. */
function startProgress({ isTerminal = true, isQuiet = false } = {}) {
  let now = 0;
  clock.mockImplementation(() => now);
  const shown: string[] = [];
  const terminal = {
    ...createTestTerminal({ isTerminal: { err: isTerminal } }),
    isQuiet: () => isQuiet,
    show: (text: string) => void shown.push(text),
  };
  return { shown, wait: (ms: number) => void (now += ms), ...createProgress(terminal) };
}

test("a transfer that takes longer than a second is shown, and cleared at its end", () => {
  const { onProgress, end, wait, shown } = startProgress();
  wait(999);
  onProgress?.("up", 1, 4);
  expect(shown).toEqual([]);
  wait(1);
  onProgress?.("up", 512 * 1024, 2 * 1024 * 1024);
  // Nobody reads faster than this.
  wait(99);
  onProgress?.("up", 1024 * 1024, 2 * 1024 * 1024);
  wait(1);
  // A server may send more than it has announced.
  onProgress?.("down", 3, 2);
  wait(100);
  onProgress?.("down", 3, undefined);
  end();
  expect(shown).toEqual([
    `Uploading ${"█".repeat(6)}${"░".repeat(18)} 25 %  512.0 KiB, 500.0 MiB/s`,
    `Downloading ${"█".repeat(24)} 100 %  3 bytes`,
    `Downloading ${"░".repeat(24)} 0 %  3 bytes`,
    "",
  ]);
});

test("a long transfer is shown with its speed and the time left", () => {
  const { onProgress, wait, shown } = startProgress();
  const MiB = 1024 ** 2;
  onProgress?.("up", 0, 400 * MiB);
  wait(2000);
  onProgress?.("up", 4 * MiB, 400 * MiB);
  wait(100);
  onProgress?.("up", 4 * MiB, 100_000 * MiB);
  wait(37_900);
  onProgress?.("up", 398 * MiB, 400 * MiB);
  // The server's answer begins.
  wait(100);
  onProgress?.("down", MiB, 3 * MiB);
  wait(500);
  onProgress?.("down", 2 * MiB, 3 * MiB);
  wait(100);
  onProgress?.("down", 2 * MiB, undefined);
  expect(shown.map((line) => line.replace(/^.*%  /, ""))).toEqual([
    "4.0 MiB, 2.0 MiB/s, 4 min left",
    "4.0 MiB, 1.9 MiB/s, 15 h left",
    "398.0 MiB, 10.4 MiB/s",
    "1.0 MiB",
    "2.0 MiB, 2.0 MiB/s",
    "2.0 MiB, 1.7 MiB/s",
  ]);
});

test("after an outage, speed and time left are those of before again", () => {
  const { onProgress, wait, shown } = startProgress();
  const MiB = 1024 ** 2;
  for (let done = 0; done <= 1000; done += 100) {
    onProgress?.("up", done * MiB, 4000 * MiB);
    wait(10_000);
  }
  expect(shown.at(-1)).toEndWith("1000.0 MiB, 10.0 MiB/s, 5 min left");
  wait(60 * 60_000);
  for (let done = 1050; done <= 1400; done += 50) {
    onProgress?.("up", done * MiB, 4000 * MiB);
    wait(5000);
  }
  expect(shown.at(-1)).toEndWith("1.4 GiB, 10.0 MiB/s, 5 min left");
});

test("a piece that takes longer than a while has a speed all the same", () => {
  const { onProgress, wait, shown } = startProgress();
  const MiB = 1024 ** 2;
  for (let done = 0; done <= 40; done += 8) {
    onProgress?.("up", done * MiB, 80 * MiB);
    wait(80_000);
  }
  expect(shown.at(-1)).toEndWith("40.0 MiB, 102.4 KiB/s, 7 min left");
});

test("no progress is shown with --quiet, or where nobody sits at a terminal", () => {
  expect(startProgress({ isQuiet: true }).onProgress).toBeUndefined();
  expect(startProgress({ isTerminal: false }).onProgress).toBeUndefined();
});

test("a size is in the largest unit of which there is one", () => {
  const sizes = [0, 1023, 1024, 1.25 * 1024 ** 2, 1024 ** 3, 2 * 1024 ** 4, 5000 * 1024 ** 4];
  expect(sizes.map(formatSize)).toEqual([
    "0 bytes",
    "1023 bytes",
    "1.0 KiB",
    "1.3 MiB",
    "1.0 GiB",
    "2.0 TiB",
    "5000.0 TiB",
  ]);
});
