import { expect, test } from "bun:test";
import { maskAddressees } from "../../../src/domain/addressees.ts";
import { mayBe, parseMask } from "../../../src/web/proving/addressees.ts";

const masksOf = (stored: string) => (maskAddressees(stored) ?? []).map(parseMask);

test("a mask of the server is its first character, if there is one, and its domain", () => {
  expect(masksOf("ann@example.com *@example.org 𝒜nn@a.example")).toEqual([
    { start: "a", domain: "example.com" },
    { start: undefined, domain: "example.org" },
    { start: "𝒜", domain: "a.example" },
  ]);
});

test("an address that a mask stands for is possible, in upper or lower case, and no other", () => {
  const [ann = parseMask(""), everyone = parseMask("")] = masksOf("Ann@Example.com *@example.org");
  for (const address of ["ann@example.com", "AMY@EXAMPLE.COM"])
    expect([address, mayBe(ann, address)]).toEqual([address, true]);
  for (const address of ["ben@example.com", "ann@example.org", "ann@mail.example.com", "a@notexample.com"]) {
    expect([address, mayBe(ann, address)]).toEqual([address, false]);
  }
  expect(mayBe(everyone, "ben@Example.org")).toBeTrue();
  expect(mayBe(everyone, "ben@sub.example.org")).toBeFalse();
});
