import { expect, test } from "bun:test";
import { useCount } from "../../../src/web/parts/counts.ts";
import { useLifetime } from "../../../src/web/parts/lifetimes.ts";
import { untilQuiet, useHere } from "../hooks.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
const limitsOf = (usual: number, most: number, choices: number[] | null = null) => ({
  default_expires_in: usual,
  max_expires_in: most,
  expires_choices: choices,
});

test("the lifetimes to choose from are within the server's limits, and include its default", () => {
  using usual = useHere(() => useLifetime(limitsOf(7 * DAY, 90 * DAY)));
  expect(usual.current()).toMatchObject({ choices: [HOUR, DAY, 7 * DAY, 30 * DAY], seconds: 7 * DAY });
  using odd = useHere(() => useLifetime(limitsOf(2 * DAY, 3 * DAY)));
  expect(odd.current().choices).toEqual([HOUR, DAY, 2 * DAY]);
  using short = useHere(() => useLifetime(limitsOf(600, 1800)));
  expect(short.current()).toMatchObject({ choices: [600, 1800], unit: "minutes" });
  // Those that the admin has chosen, and the default.
  using chosen = useHere(() => useLifetime(limitsOf(7 * DAY, 90 * DAY, [3 * DAY, HOUR])));
  expect(chosen.current()).toMatchObject({ choices: [HOUR, 3 * DAY, 7 * DAY], seconds: 7 * DAY });
});

test("a typed lifetime counts in its unit, and gets a complaint when the server would refuse it", async () => {
  using lifetime = useHere(() => useLifetime(limitsOf(7 * DAY, 90 * DAY)));
  lifetime.current().choose(undefined);
  await untilQuiet();
  expect(lifetime.current()).toMatchObject({
    chosen: undefined,
    text: "7",
    unit: "days",
    seconds: 7 * DAY,
    complaint: "",
  });
  for (const [text, unit, seconds] of [
    ["90", "days", 90 * DAY],
    ["91", "days", undefined],
    ["1", "minutes", 60],
    ["0", "hours", undefined],
    ["0.5", "hours", 1800],
    ["", "days", undefined],
    ["-1", "days", undefined],
  ] as const) {
    lifetime.current().change(text, unit);
    await untilQuiet();
    expect(lifetime.current().read()).toBe(seconds);
    await untilQuiet();
    expect(lifetime.current().complaint === "").toBe(seconds !== undefined);
  }
  lifetime.current().choose(HOUR);
  await untilQuiet();
  lifetime.current().choose(undefined);
  await untilQuiet();
  expect(lifetime.current()).toMatchObject({ text: "1", unit: "hours", seconds: HOUR, complaint: "" });
  lifetime.current().choose(DAY);
  await untilQuiet();
  expect(lifetime.current()).toMatchObject({ seconds: DAY, complaint: "" });
});

test("the numbers to choose from are within the server's limits, and include its default", async () => {
  using count = useHere(() => useCount(4, 100));
  expect(count.current()).toMatchObject({ choices: [1, 3, 4, 10], isTyped: false, value: 4 });
  count.current().choose(undefined);
  await untilQuiet();
  expect(count.current()).toMatchObject({ isTyped: true, text: "4", value: 4 });
  count.current().change("");
  await untilQuiet();
  expect(count.current().read()).toBeUndefined();
  await untilQuiet();
  expect(count.current().complaint).toContain("from 1 to 100");
  count.current().change("42");
  await untilQuiet();
  expect(count.current()).toMatchObject({ value: 42, complaint: "" });
  using only = useHere(() => useCount(1, 1));
  expect(only.current().choices).toEqual([1]);
});

test("what the rules of the team allow is said where they narrow a limit of the server", () => {
  const rules = {
    max_expires: DAY,
    max_claims: 3,
    max_secret: null,
    require_reference: false,
    require_for: false,
    for_domain: null,
    approval: null,
  };
  using ruled = useHere(() => useLifetime(limitsOf(DAY, DAY), rules));
  expect(ruled.current()).toMatchObject({ choices: [HOUR, DAY], allowed: "Your team allows 1 day at most." });
  using lax = useHere(() => useLifetime(limitsOf(HOUR, HOUR), rules));
  expect(lax.current().allowed).toBe("");
  using count = useHere(() => useCount(1, 3, rules));
  expect(count.current()).toMatchObject({ choices: [1, 3], allowed: "Your team allows 3 at most." });
  using free = useHere(() => useCount(1, 2, rules));
  expect(free.current().allowed).toBe("");
});
