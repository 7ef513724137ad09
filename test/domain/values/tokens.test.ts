import { expect, test } from "bun:test";
import { systemRandom } from "../../../src/domain/values/random.ts";
import { linkToken, sha256 } from "../../../src/domain/values/tokens.ts";

test("parts that are split elsewhere have another SHA-256", () => {
  const cuts: string[][] = [["ab", "c"], ["a", "bc"], ["abc", ""], ["", "abc"], ["a", "b", "c"], ["abc"], ["1:a", "b"]];
  expect(new Set(cuts.map((parts) => sha256(...parts).toHex())).size).toBe(cuts.length);
  expect(sha256("ab", "c")).toEqual(sha256(new TextEncoder().encode("ab"), "c"));
});

test("a repeated call derives the same token, and no other pair of credential and key does", () => {
  const tokenOf = (kind: "claim" | "submit", credential: string, idempotencyKey: string, id = "sec_1") =>
    linkToken({ kind, random: systemRandom, credential, idempotencyKey, givenHash: undefined }, id).shown;
  const others = [
    tokenOf("claim", "hak_a", "bc"),
    tokenOf("claim", "hak_abc", ""),
    tokenOf("claim", "hak_ab", "c", "sec_2"),
    tokenOf("submit", "hak_ab", "c"),
  ];
  const token = tokenOf("claim", "hak_ab", "c");
  expect(tokenOf("claim", "hak_ab", "c")).toBe(token);
  expect(new Set([...others, token]).size).toBe(5);
});
