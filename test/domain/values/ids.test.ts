import { expect, test } from "bun:test";
import { exampleId, ID_PREFIXES } from "../../../src/contract/ids.ts";
import type { IdKind } from "../../../src/contract/ids.ts";
import { createMonotonicClock } from "../../../src/domain/values/clocks.ts";
import { createIds, firstIdAt } from "../../../src/domain/values/ids.ts";
import { systemRandom } from "../../../src/domain/values/random.ts";
import { createTestClock } from "../../support/test-clocks.ts";

test("ids ascend even within a millisecond, and when the clock stands still or jumps back", () => {
  const clock = createTestClock();
  const ids = createIds(clock, systemRandom);
  const made: string[] = [];
  for (let i = 0; i < 1000; i++) {
    made.push(ids.next("event"));
    if (i % 100 === 50) clock.advance(1);
    if (i === 700) clock.advance(-10_000);
  }
  expect(made.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(made);
  expect(new Set(made).size).toBe(made.length);
});

test("ids ascend from the highest random part", () => {
  const ids = createIds(createTestClock(), { bytes: (length) => new Uint8Array(length).fill(0xff) });
  const [first, second] = [ids.next("secret"), ids.next("secret")];
  expect(second > first).toBe(true);
  expect(second).toMatch(/^sec_[0-9a-v]{26}$/);
});

test("an id is its prefix, time and random bits in base32hex, and the next one counts up", () => {
  const time = 0x0123_4567_89ab;
  // The generator takes one bit of the third word, 50 bits of the first two, and 28 bits of the third.
  const drawn = Uint8Array.fromHex("ffffffffffffffff8fffffff");
  const draws = [drawn, Uint8Array.fromHex("00000000")];
  const ids = createIds({ now: () => time }, { bytes: () => draws.shift() ?? new Uint8Array() });
  const rest = (1n << 79n) - 1n;
  const spelled = (random: bigint) => {
    const bits = ((BigInt(time) << 80n) | random) << 2n;
    return `evt_${bits.toString(32).padStart(26, "0")}`;
  };
  expect(ids.next("event")).toBe(spelled(rest));
  expect(ids.next("event")).toBe(spelled(rest + 1n));
  expect(firstIdAt("event", time)).toBe(spelled(0n));
});

test("the first id at a time sorts after all ids made before", () => {
  const clock = createTestClock();
  const ids = createIds(clock, systemRandom);
  const before = ids.next("event");
  clock.advance(1);
  const first = firstIdAt("event", clock.now());
  expect(before < first && first <= ids.next("event")).toBe(true);
});

test("the ids of the documentation are well-formed", () => {
  for (const kind of Object.keys(ID_PREFIXES) as IdKind[]) expect(exampleId(kind)).toMatch(/^[a-z]{3}_[0-9a-v]{26}$/);
});

test("a clock that jumps back goes on from its latest reading", () => {
  const machine = createTestClock(1000);
  const clock = createMonotonicClock(machine);
  expect(clock.now()).toBe(1000);
  machine.jump(-500);
  expect(clock.now()).toBe(1000);
  machine.advance(600);
  expect(clock.now()).toBe(1600);
  clock.raise(5000);
  expect(clock.now()).toBe(5000);
  machine.advance(100);
  expect(clock.now()).toBe(5100);
  machine.jump(10_000);
  expect(clock.now()).toBe(11_200);
});
