import { expect, test } from "bun:test";
import { ClientError } from "../../../src/client/errors.ts";
import { complete, heedRefusal, readPeople } from "../../../src/web/composing/people-field.tsx";
import type { ChangingPeople, PeopleDraft } from "../../../src/web/composing/people-kit.ts";

const WRONG = "This isn't an address. An address looks like ann@example.com.";

/** A draft with the last change to it. */
function draftOf(
  people: readonly string[],
  text = "",
  rules: Pick<ChangingPeople, "isRequired" | "domains"> = { isRequired: false, domains: null },
): ChangingPeople & { last: PeopleDraft | undefined } {
  const draft = {
    people,
    text,
    ...rules,
    complaint: "",
    question: "whoOpens" as const,
    last: undefined as PeopleDraft | undefined,
    change(next: PeopleDraft | ((former: PeopleDraft) => PeopleDraft)) {
      draft.last = typeof next === "function" ? next(draft) : next;
    },
  };
  return draft;
}

test("addresses and domains are taken from a text as it is typed, pasted, and copied from a mail program", () => {
  const take = (text: string) => complete({ people: [], text });
  expect(take("ann@example.com").people).toEqual(["ann@example.com"]);
  expect(take(" a@b.c,d@e.f;g@h.i\tj@k.l\nm@n.o ").people).toEqual(["a@b.c", "d@e.f", "g@h.i", "j@k.l", "m@n.o"]);
  expect(take("Lee, Ann <ann@example.com>, Bob Ray <bob@example.com>")).toMatchObject({
    people: ["ann@example.com", "bob@example.com"],
    text: "Lee",
  });
  expect(take("@example.com *@example.org").people).toEqual(["*@example.com", "*@example.org"]);
  expect(take("")).toEqual({ people: [], text: "", complaint: "" });
});

test("somebody who was chosen already isn't chosen again, in upper or lower case", () => {
  expect(complete({ people: ["ann@example.com"], text: "Ann@Example.com bob@example.com bob@example.com" })).toEqual({
    people: ["ann@example.com", "bob@example.com"],
    text: "",
    complaint: "",
  });
});

test("what is no address stays in the text, with a complaint", () => {
  for (const text of [
    "ann",
    "ann@",
    "a@b@c.d",
    "*ann@example.com",
    "!@example.com",
    "ann@example.com.",
    `${"a".repeat(60)}@b.co`,
  ]) {
    expect(complete({ people: [], text })).toEqual({ people: [], text, complaint: WRONG });
  }
  expect(complete({ people: [], text: "x ann@example.com y" })).toEqual({
    people: ["ann@example.com"],
    text: "x y",
    complaint: WRONG,
  });
});

test("no more than 20 are taken, and the others stay in the text", () => {
  const all = Array.from({ length: 22 }, (_, index) => `p${index}@example.com`);
  expect(complete({ people: [], text: all.join(" ") })).toEqual({
    people: all.slice(0, 20),
    text: "p20@example.com p21@example.com",
    complaint: "Choose 20 at most.",
  });
});

test("reading a draft takes what is still in its text, and says whether there is anybody", () => {
  expect(readPeople(draftOf([]))).toBeUndefined();
  expect(readPeople(draftOf(["ann@example.com"], "bob@example.com"))).toEqual(["ann@example.com", "bob@example.com"]);
  const draft = draftOf(["ann@example.com"], "bob");
  expect(readPeople(draft)).toBeNull();
  expect(draft.last).toEqual({ people: ["ann@example.com"], text: "bob", complaint: WRONG });
});

test("the rules of the team ask for people, and for certain domains", () => {
  const rules = { isRequired: true, domains: ["example.com"] };
  const nobody = draftOf([], "", rules);
  expect(readPeople(nobody)).toBeNull();
  expect(nobody.last?.complaint).toBe("Your team's rules ask you to say who.");
  const stranger = draftOf(["ann@example.com"], "eve@other.test", rules);
  expect(readPeople(stranger)).toBeNull();
  expect(stranger.last?.complaint).toBe("Your team's rules allow only people at: example.com.");
  expect(readPeople(draftOf(["Ann@Example.com", "*@example.com"], "", rules))).toEqual([
    "Ann@Example.com",
    "*@example.com",
  ]);
});

test("a refusal of the people becomes a complaint about them, and any other error stays one", () => {
  const errorOf = (code: ClientError["code"]) => new ClientError(code, "failure", "Refused.");
  const draft = draftOf(["ann@example.com"]);
  expect(heedRefusal(draft, errorOf("rate_limited"))).toBeUndefined();
  expect(heedRefusal(draft, new Error("schema_mismatch"))).toBeUndefined();
  expect(draft.last).toBeUndefined();
  expect(heedRefusal(draft, errorOf("schema_mismatch"))).toBe("");
  expect(draft.last).toMatchObject({
    people: ["ann@example.com"],
    complaint: "The server doesn't accept one of these addresses. Check them.",
  });
  const everyone = draftOf([]);
  expect(heedRefusal(everyone, errorOf("schema_mismatch"))).toBeUndefined();
  expect(everyone.last).toBeUndefined();
});
