import { expect, test } from "bun:test";
import { listPassages } from "../../src/manual/passages.ts";
import { renderHtml } from "../../src/manual/rendering.ts";
import { excerptOf, findHits } from "../../src/manual/search.ts";
import { findTopic, TOPICS } from "../../src/manual/topics.ts";

const passages = listPassages();

test("words are found in any case and order, under their heading", () => {
  const hits = findHits(passages, "NGINX  conf.d");
  expect(hits.map(({ topic }) => topic)).toContain("proxies");
  for (const { texts } of hits)
    for (const text of texts) expect(text.toLowerCase()).toMatch(/nginx.*conf\.d|conf\.d.*nginx/);
});

test("options, rows of tables and lines of code are found", () => {
  const topicsOf = (words: string) => findHits(passages, words).map(({ topic }) => topic);
  expect(topicsOf("--follow")).toContain("scripts");
  expect(topicsOf("HANDOFF_TRUSTED_PROXY")).toContain("settings");
  expect(topicsOf("proxy_pass")).toContain("proxies");
});

test("a heading with the words comes before other places", () => {
  const [first, ...others] = findHits(passages, "stock tools");
  expect(first).toMatchObject({ topic: "send", heading: "With stock tools", anchor: "with-stock-tools" });
  expect(others.length).toBeGreaterThan(0);
});

test("words that the manual has others for find those", () => {
  const headings = (words: string) => findHits(passages, words).map(({ heading }) => heading);
  expect(headings("delete")).toContain("Look, list, extend, revoke");
  expect(headings("SSL")).toContain("Certificates");
  expect(headings("user")).toContain("People");
  expect(
    findHits(passages, "toString").flatMap(({ texts }) => texts.filter((text) => !/toString/i.test(text))),
  ).toEqual([]);
  expect(excerptOf(`${"word ".repeat(50)}revoke it`, "delete", 30)).toContain("revoke");
});

test("nothing is found for words that are nowhere, and for none", () => {
  expect(findHits(passages, "frobnicate")).toEqual([]);
  expect(findHits(passages, "  ")).toEqual([]);
});

test("every passage stands under a heading of its topic, and has no Markdown in it", () => {
  for (const { name } of TOPICS) expect(passages.some(({ topic }) => topic === name)).toBe(true);
  const broken = passages.filter(({ topic, anchor, text }) => {
    const found = findTopic(topic);
    const code = found?.text.match(/^```[^]*?^```$/gm)?.join("\n") ?? "";
    const isMarkdown = /\]\(|\*\*/.test(text) && !code.includes(text);
    return !found || !renderHtml(found, String).includes(`id="${anchor}"`) || isMarkdown;
  });
  expect(broken).toEqual([]);
});

test("an excerpt has the word, and no more than its columns", () => {
  const text = `${"word ".repeat(50)}needle ${"tail ".repeat(50)}`.trim();
  for (const columns of [30, 60, 90]) {
    const excerpt = excerptOf(text, "NEEDLE tail", columns);
    expect(excerpt).toContain("needle");
    expect(excerpt.length).toBeLessThanOrEqual(columns);
    expect(excerpt).toMatch(/^…\w.*…$/);
  }
  expect(excerptOf("short needle", "needle", 30)).toBe("short needle");
  expect(excerptOf(text, "word", 30)).toMatch(/^word/);
});
