import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundlePage } from "../../../src/cli/server/page-bundle.ts";
import { bytesOf } from "../../../src/http/pages/texts.ts";
import { LANGUAGES } from "../../../src/web/languages/languages.ts";
import { temporaryFolder } from "../../support/temporary.ts";

/** A page of which a part is loaded when it is needed, and a module waits for another one before the page runs. */
const SOURCES = {
  "entries/home.tsx": `
    import { LANGUAGE } from "../strings.ts";
    console.log(LANGUAGE);
    addEventListener("click", async () => console.log((await import("../words.ts")).describe()));`,
  "entries/sign-in.tsx": `console.log("sign in");`,
  "entries/login.tsx": `console.log("log in");`,
  "entries/secret.tsx": `console.log("open");`,
  "entries/request.tsx": `console.log("hand in");`,
  "entries/collect.tsx": `console.log("collect");`,
  "entries/manual.ts": `console.log("search");`,
  "strings.ts": `
    const other = navigator.language === "de" ? (await import("./languages/de/page.ts")).NAME : undefined;
    export const LANGUAGE = other ?? "English";`,
  "words.ts": `
    import { LANGUAGE } from "./strings.ts";
    export const describe = () => "a word list in " + LANGUAGE;`,
  "languages/de/page.ts": `export const NAME = "Deutsch";`,
  "browser/worker.ts": `console.log("at work");`,
  "browser/opening-worker.ts": `console.log("opens");`,
  "browser/submitting-worker.ts": `console.log("seals");`,
  "large/large-opening-worker.ts": `console.log("stores");`,
  "composing/large/large-sending-worker.ts": `console.log("uploads");`,
  "styles/manual.css": `p { margin: 0; }`,
  "styles/person.css": `@font-face { font-family: Face; src: url("face.woff2"); }`,
  "styles/start.css": `h1 { margin: 0; }`,
  "styles.css": `@import "./tokens.css"; p { color: var(--ink); }`,
  "tokens.css": `:root { --ink: #1b211e; }`,
  "static/picture.svg": `<svg xmlns="http://www.w3.org/2000/svg"/>`,
} as const;

function writePage(folder: string): void {
  for (const [path, source] of Object.entries(SOURCES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), source);
  }
}

test("what the page loads when it is needed is a file of its own, named after its content", () => {
  using folder = temporaryFolder();
  writePage(folder.path);
  const { files, preloads } = bundlePage(folder.path);
  const textOf = (name: string) => {
    const file = files[name];
    return file ? Buffer.from(bytesOf(file)).toString() : "";
  };
  const names = Object.keys(files);
  const scripts = [
    "collect",
    "home",
    "large-opening-worker",
    "large-sending-worker",
    "login",
    "manual",
    "opening-worker",
    "request",
    "secret",
    "sign-in",
    "submitting-worker",
    "worker",
  ];
  const named = [
    "app.css",
    "person.css",
    "start.css",
    "manual.css",
    "picture.svg",
    ...scripts.map((each) => `${each}.js`),
  ];
  expect(names).toEqual(expect.arrayContaining(named));
  const chunks = names.filter((name) => !named.includes(name));
  expect(chunks).toHaveLength(3);
  for (const name of chunks) expect(name).toMatch(/^[a-z]+-[a-z0-9]{8}\.js$/);
  const withText = (text: string) => names.filter((name) => textOf(name).includes(text));
  const [german = "", words = "", shared = ""] = ["Deutsch", "a word list in", "English"].flatMap(withText);
  expect([german, words, shared].toSorted()).toEqual(chunks.toSorted());
  // What another file shares with the script is fetched together with the script, and so are the texts in the language
  // of the browser. What may not be needed is not.
  const nothing = { scripts: [], texts: {} };
  expect(preloads).toEqual({
    home: { scripts: [shared], texts: { de: [german] } },
    "sign-in": nothing,
    login: nothing,
    secret: nothing,
    request: nothing,
    collect: nothing,
  });
  expect(textOf("secret.js")).toBe('console.log("open");\n');
  expect(textOf("home.js")).toContain(`./${shared}`);
  expect(textOf("app.css")).toContain("#1b211e");
  expect(textOf("picture.svg")).toBe(SOURCES["static/picture.svg"]);
});

test("the page itself can be bundled", () => {
  const { files, texts, name } = bundlePage();
  expect(Object.keys(files)).toEqual(
    expect.arrayContaining(["app.css", "handoff-title.woff2", "home.js", "favicon.svg", "touch-icon.png", "worker.js"]),
  );
  expect(name).toBe("handoff");
  // Documents speak every language of the page, also without its script.
  expect(Object.keys(texts).toSorted()).toEqual(
    Object.keys(LANGUAGES)
      .map((tag) => tag.toLowerCase())
      .toSorted(),
  );
  const titles = Object.values(texts).map(({ nowhere }) => nowhere.title);
  expect(new Set(titles).size).toBe(titles.length);
  expect(texts["ar"]?.direction).toBe("rtl");
});
