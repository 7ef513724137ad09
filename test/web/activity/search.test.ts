import { expect, test } from "bun:test";
import { Secret } from "../../../src/contract/secrets.ts";
import type { ActivityItem } from "../../../src/web/activity/items.ts";
import { createSearch, markWords } from "../../../src/web/activity/search.ts";
import { exampleOf } from "../../support/clients.ts";

const item: ActivityItem = {
  kind: "sent",
  secret: exampleOf(Secret, { reference: "OPS-4711" }),
  label: "Zugang für Müller",
  content: { kind: "files", count: 2, firstName: "contrat-signé.pdf" },
};

test("labels, file names and tickets are searched for all words, in any case and without accents", () => {
  for (const found of ["", "  ", "muller", "MÜLLER", "fur ops-4711", "SIGNE.PDF", "zugang contrat"]) {
    expect([found, createSearch(found)(item)]).toEqual([found, true]);
  }
  // As mails name it. Less of it would be found by chance.
  const end = item.secret.id.slice(-6);
  for (const found of [end, `…${end}`, `muller …${end}`])
    expect([found, createSearch(found)(item)]).toEqual([found, true]);
  for (const missed of ["muller ops-4712", "mueller", "sec_", end.slice(1), `x${end}`]) {
    expect([missed, createSearch(missed)(item)]).toEqual([missed, false]);
  }
});

test("the letters that were searched for are marked, as they were written", () => {
  const marked = (text: string, search: string) =>
    markWords(text, search)
      .map(({ text: piece, isMarked }) => (isMarked ? `[${piece}]` : piece))
      .join("");
  expect(marked("Zugang für Müller", "MULL fur")).toBe("Zugang [für] [Müll]er");
  expect(marked("Mu\u0308ller", "mu")).toBe("[Mu]\u0308ller");
  expect(marked("aaa", "a")).toBe("[aaa]");
  expect(marked("ﬁles", "fi")).toBe("[ﬁ]les");
  expect(marked("<b>", "nothing")).toBe("<b>");
  expect(marked("", "x")).toBe("");
});
