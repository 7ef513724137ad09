import { expect, test } from "bun:test";
import { createTestPage } from "../../support/page-sources.ts";
import { startTestServer } from "../../support/server.ts";

const TEXTS = { en: ["page-en.js"], de: ["page-de.js", "opening-de.js"], "pt-br": ["page-pt.js"] };

test("the document names the texts of the language that the browser asks for first, and of no other", async () => {
  const page = async () => {
    const sources = createTestPage();
    return { ...sources, preloads: { ...sources.preloads, home: { scripts: ["shared.js"], texts: TEXTS } } };
  };
  await using server = await startTestServer({ http: { page } });
  const preloadsFor = async (languages: string | undefined) => {
    const headers = languages === undefined ? {} : { "accept-language": languages };
    const answer = await server.call("GET", "/", { headers });
    expect(answer.headers.get("vary")).toContain("Accept-Language");
    return [...answer.text.matchAll(/rel="modulepreload" href="assets\/\w+\/([^"]+)"/g)].map(([, name]) => name);
  };
  expect(await preloadsFor("de-CH,de;q=0.9,en;q=0.8")).toEqual(["shared.js", ...TEXTS.de]);
  expect(await preloadsFor("en;q=0.5, DE")).toEqual(["shared.js", ...TEXTS.de]);
  expect(await preloadsFor("xx, pt-PT;q=0.3, de;q=0")).toEqual(["shared.js", ...TEXTS["pt-br"]]);
  for (const other of ["xx", "*", "", ";q=1,,", "de;q=0", undefined]) {
    expect(await preloadsFor(other)).toEqual(["shared.js", ...TEXTS.en]);
  }
});

test("the document is laid out from right to left for such a language, in its own language", async () => {
  const page = async () => {
    const sources = createTestPage();
    const texts = { en: ["page-en.js"], de: ["page-de.js"], ar: ["page-ar.js"] };
    return { ...sources, preloads: { ...sources.preloads, secret: { scripts: [], texts } } };
  };
  await using server = await startTestServer({ http: { page } });
  const directionsFor = async (languages: string) => {
    const headers = { "accept-language": languages };
    const { text } = await server.call("GET", "/s/sec_00000000000000000000000000", { headers });
    const found: string[] = [];
    new HTMLRewriter()
      .on("[dir]", { element: (each) => void found.push(`${each.tagName} ${each.getAttribute("dir")}`) })
      .transform(text);
    return found;
  };
  expect(await directionsFor("ar-EG,en;q=0.5")).toEqual(["html rtl"]);
  expect(await directionsFor("de,ar;q=0.5")).toEqual(["html ltr"]);
});
