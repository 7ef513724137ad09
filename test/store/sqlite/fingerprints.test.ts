import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { createFingerprints, FINGERPRINT_DIGITS } from "../../../src/store/sqlite/fingerprints.ts";

const digitsOf = (value: bigint) => value.toString(16).padStart(FINGERPRINT_DIGITS, "0");

test("of rows with the same digits the latest is found, and unknown digits find none", () => {
  // A few values, so that some repeat, in either half.
  const half = fc.integer({ min: 0, max: 40 });
  const digits = fc.tuple(half, half).map(([high, low]) => digitsOf((BigInt(high) << 32n) | BigInt(low)));
  fc.assert(
    fc.property(fc.array(digits, { maxLength: 2000 }), digits, (all, other) => {
      const fingerprints = createFingerprints(() => 0);
      const model = new Map<string, number>();
      for (const [index, each] of all.entries()) {
        fingerprints.set(each, index + 1);
        model.set(each, index + 1);
      }
      for (const each of [...all, other]) expect(fingerprints.get(each)).toBe(model.get(each));
    }),
    { numRuns: 50 },
  );
});

test("deleted rows are forgotten once their space is needed, and all others are found", () => {
  let first = 1;
  const fingerprints = createFingerprints(() => first);
  const digits = (seq: number) => digitsOf((BigInt(seq) * 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn);
  for (let seq = 1; seq <= 100_000; seq++) {
    first = Math.max(1, seq - 500);
    fingerprints.set(digits(seq), seq);
  }
  for (let seq = first; seq <= 100_000; seq++) expect(fingerprints.get(digits(seq))).toBe(seq);
  expect(fingerprints.get(digits(1000))).toBeUndefined();
});
