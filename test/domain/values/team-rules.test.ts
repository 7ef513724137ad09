import { expect, test } from "bun:test";
import { parseDomain } from "../../../src/domain/names.ts";
import type { TeamRules } from "../../../src/domain/ports/teams.ts";
import { afterChange, findBrokenRule, termsWithin } from "../../../src/domain/values/team-rules.ts";

const POLICY = {
  defaultTtlSeconds: 7 * 86_400,
  maxTtlSeconds: 90 * 86_400,
  expiresChoices: [3600, 86_400, 7 * 86_400],
  defaultMaxClaims: 3,
  maxClaims: 100,
  maxSecretBytes: 1000,
};
const NOTHING = { ttlSeconds: 60, maxClaims: 1, reference: null, addressees: null };

test("rules narrow the limits of a server, its defaults and its choices, and never widen them", () => {
  expect(termsWithin(POLICY, null)).toEqual(POLICY);
  expect(termsWithin(POLICY, { requireReference: true })).toEqual(POLICY);
  expect(termsWithin(POLICY, { maxTtlSeconds: 91 * 86_400, maxClaims: 101, maxSecretBytes: 1001 })).toEqual(POLICY);
  expect(termsWithin(POLICY, { maxTtlSeconds: 86_400, maxClaims: 2, maxSecretBytes: 0 })).toEqual({
    defaultTtlSeconds: 86_400,
    maxTtlSeconds: 86_400,
    expiresChoices: [3600, 86_400],
    defaultMaxClaims: 2,
    maxClaims: 2,
    maxSecretBytes: 0,
  });
  expect(termsWithin(POLICY, { maxTtlSeconds: 600 })).toMatchObject({ expiresChoices: [600] });
  expect(termsWithin({ ...POLICY, expiresChoices: null }, { maxTtlSeconds: 600 })).toMatchObject({
    expiresChoices: null,
  });
});

test("the first broken rule is named, and what keeps to all of them breaks none", () => {
  const all: TeamRules = {
    maxTtlSeconds: 3600,
    maxClaims: 2,
    requireReference: true,
    requireFor: true,
    forDomains: ["example.com", "bücher.example"],
  };
  const good = { ttlSeconds: 3600, maxClaims: 2, reference: "OPS-1", addressees: "Ann@Example.com *@BÜCHER.example" };
  const broken = (change: object, rules: TeamRules | null = all) => findBrokenRule(rules, { ...good, ...change });
  expect(broken({})).toBeUndefined();
  expect(broken({ ttlSeconds: 3601, maxClaims: 3 })).toBe("max_expires");
  expect(broken({ maxClaims: 3, reference: null })).toBe("max_claims");
  expect(broken({ reference: null, addressees: null })).toBe("require_reference");
  expect(broken({ addressees: null })).toBe("require_for");
  for (const addressee of [
    "ann@example.org",
    "*@sub.example.com",
    "*@com",
    "ann@notexample.com",
    "x@example.com@a.b",
  ]) {
    expect(broken({ addressees: `bob@example.com ${addressee}` })).toBe("for_domain");
  }
  expect(broken(NOTHING, { forDomains: ["example.com"] })).toBeUndefined();
  expect(broken({ ...NOTHING, ttlSeconds: 1e9, maxClaims: 1e9 }, null)).toBeUndefined();
});

test("a change of terms is held against the rules that it is about alone", () => {
  const rules: TeamRules = { maxTtlSeconds: 3600, maxClaims: 2, requireReference: true, requireFor: true };
  expect(findBrokenRule(rules, { maxClaims: 2 })).toBeUndefined();
  expect(findBrokenRule(rules, { ttlSeconds: 3601 })).toBe("max_expires");
});

test("rules that a change doesn't name stay, and without the last one there are none", () => {
  const rules: TeamRules = { maxClaims: 1, requireFor: true };
  expect(afterChange(rules, { maxTtlSeconds: 60 })).toEqual({ ...rules, maxTtlSeconds: 60 });
  expect(afterChange(rules, { maxClaims: null })).toEqual({ requireFor: true });
  expect(afterChange(rules, { maxClaims: null, requireFor: null })).toBeNull();
  expect(afterChange(null, { maxClaims: null })).toBeNull();
});

test("a domain is taken in any case and script, and nothing else is", () => {
  expect(["Example.COM", " bücher.example "].map(parseDomain)).toEqual(["example.com", "bücher.example"]);
  expect(["", "@example.com", "*@example.com", "ann@example.com", "a b", "*", "-"].map(parseDomain)).toEqual(
    Array(7).fill(undefined),
  );
});
