import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SETTINGS } from "../src/config/settings.ts";
import { ERRORS } from "../src/contract/errors.ts";
import { API_PREFIX, OPERATIONS } from "../src/contract/operations.ts";
import type { Operation } from "../src/contract/operations.ts";
import { SCOPES } from "../src/contract/scopes.ts";
import { EVENT_TYPES, REQUEST_STATES, SECRET_STATES } from "../src/contract/states.ts";
import { TOKEN_PREFIXES } from "../src/contract/tokens.ts";
import { FLOORS, ROOMS } from "./support/architecture.ts";

const ROOT = join(import.meta.dir, "..");
const textOf = (path: string) => readFileSync(join(ROOT, path), "utf8");
const contract = textOf("src/contract/README.md");
const house = textOf("src/README.md");
const sources = [...new Bun.Glob("{src,test,scripts}/**/*.{ts,tsx}").scanSync(ROOT)]
  .map((path) => ({ path, text: textOf(path) }))
  .toSorted((a, b) => a.path.localeCompare(b.path));
const code = sources.filter(({ path }) => path.startsWith("src/"));

const topics = [...new Bun.Glob("src/manual/**/*.md").scanSync(ROOT)]
  .toSorted()
  .map((path) => ({ path, text: textOf(path) }));

/** The most lines of a topic, and of the README. */
const MOST_LINES = 200;
/** The most columns of a line of prose, as many as the formatter keeps for code. */
const MOST_COLUMNS = 120;

/** The lines of prose in a document: all but those of code, tables, headings and addresses of links. */
function proseOf(document: string): string[] {
  const withoutCode = document.replaceAll(/^ *```[^]*?^ *```$/gm, "");
  return withoutCode.split("\n").filter((line) => !/^(\||#|\[.*\]: )/.test(line.trimStart()));
}

/** The text of a document from the heading that begins so to the next one of the same level. */
function sectionOf(document: string, heading: string): string {
  const rest = document.split(`\n## ${heading}`)[1];
  if (rest === undefined) throw new Error(`there is no section '${heading}'`);
  return rest.split("\n## ")[0] ?? "";
}

/** What stands in code font. */
const inCode = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, found = ""]) => found);

/** The cells of each row of the tables in a text, without their headings. */
function rowsOf(text: string): string[][] {
  const rows = text.split("\n").filter((line) => line.startsWith("| "));
  const cells = rows.map((line) => line.split(/(?<!\\)\|/).slice(1, -1));
  return cells.map((row) => row.map((cell) => cell.trim())).filter((row) => !/^-+$/.test(row[0] ?? ""));
}

const contractSections = [...contract.matchAll(/^## (\d+)\. /gm)].map(([, number]) => Number(number));

test("every section of the contract that a comment or a document cites is there", () => {
  expect(contractSections).toEqual(contractSections.map((_, index) => index + 1));
  const cited = [
    ...sources,
    { path: "contract", text: contract.replaceAll(/\(section (\d+)\)/g, "contract section $1") },
  ].flatMap(({ path, text }) => {
    // A comment may go on in the next line.
    const plain = text.replaceAll(/\s*\n\s*(\*|\/\/)?\s*/g, " ");
    return [...plain.matchAll(/contract,? sections? (\d+)(?: and (\d+))?/gi)].flatMap(([, ...numbers]) =>
      numbers.filter((each) => each !== undefined).map((each) => ({ path, number: Number(each) })),
    );
  });
  expect(cited.length).toBeGreaterThan(15);
  expect(cited.filter(({ number }) => !contractSections.includes(number))).toEqual([]);
});

test("a line of prose in a comment or a document has at most 120 columns", () => {
  const comments = sources.map(({ path, text }) => ({ path, lines: text.match(/^ *(\/\/|\/\*\*|\*) .*$/gm) ?? [] }));
  const paths = ["README.md", "src/README.md", "src/contract/README.md", ...topics.map(({ path }) => path)];
  const documents = paths.map((path) => ({ path, lines: proseOf(textOf(path)) }));
  const long = [...comments, ...documents].flatMap(({ path, lines }) =>
    lines.filter((line) => line.length > MOST_COLUMNS).map((line) => `${path}: ${line}`),
  );
  expect(comments.flatMap(({ lines }) => lines).length).toBeGreaterThan(5000);
  expect(long).toEqual([]);
});

test("the routes of the contract are the operations, with what each asks for", () => {
  const said = rowsOf(sectionOf(contract, "5. ")).flatMap(([route = "", callers = ""]) => {
    const [, method, path] = /^`([A-Z]+) (\/api\/v1[^?`]*)/.exec(route) ?? [];
    return method ? [{ method, path, callers }] : [];
  });
  const operations: readonly Operation[] = Object.values(OPERATIONS);
  const are = operations.map(({ method, path, callers }) => ({
    method,
    path: API_PREFIX + path,
    callers: callers === "any" ? "any credential" : whoOf(callers).join(", or "),
  }));
  expect(said).toEqual(are);
});

function whoOf({ scope, orScope, token }: Exclude<Operation["callers"], "any">): string[] {
  return [...[scope, orScope].flatMap((each) => (each ? [`\`${each}\``] : [])), ...(token ? [`${token} token`] : [])];
}

test("the manual has the routes of the contract, with the same parameters", () => {
  const routesIn = (text: string) => inCode(text).filter((each) => /^[A-Z]+ \/api\/v1\//.test(each));
  const routes = rowsOf(sectionOf(contract, "5. ")).flatMap(([route = ""]) => routesIn(route));
  expect(routes).toHaveLength(Object.keys(OPERATIONS).length);
  expect(routesIn(sectionOf(textOf("src/manual/api.md"), "Calls"))).toEqual(routes);
});

test("the errors of the contract are those of the code, with their status", () => {
  const said = rowsOf(sectionOf(contract, "8. ")).flatMap(([status, codes = ""]) =>
    inCode(codes).map((each) => `${each} ${status}`),
  );
  const are = Object.entries(ERRORS).map(([name, { status }]) => `${name} ${status}`);
  expect(said.toSorted()).toEqual(are.toSorted());
});

test("the contract names every scope, state, event and kind of token", () => {
  const named = new Set(inCode(contract));
  const values = [...SCOPES, ...SECRET_STATES, ...REQUEST_STATES, ...EVENT_TYPES, ...Object.values(TOKEN_PREFIXES)];
  expect(values.filter((each) => !named.has(each))).toEqual([]);
  const scopes = [...named].filter((each) => /^(secrets|requests|events):/.test(each));
  const events = [...named].filter((each) => /^((secret|request|webhook|key)\.[a-z_]+ed|person\.[a-z_]+)$/.test(each));
  expect({ scopes: scopes.toSorted(), events: events.toSorted() }).toEqual({
    scopes: SCOPES.toSorted(),
    events: EVENT_TYPES.toSorted(),
  });
});

test("the paths and codes that the contract names are those of the code", () => {
  const codes = new Set<string>(Object.keys(ERRORS));
  const unknown = inCode(contract).filter((each) => !mentions(code, each) && !codes.has(each));
  // What is not a single name is an example, or a path with its parameters.
  expect(unknown.filter((each) => /^[a-z]+(_[a-z]+)+$/.test(each))).toEqual([]);
  const flags = inCode(contract).filter((each) => /^--[a-z-]+$/.test(each));
  expect(flags.length).toBeGreaterThan(10);
  const settings = new Set<string>(Object.values(SETTINGS).map(({ name }) => `--${name}`));
  expect(flags.filter((each) => !settings.has(each) && !mentions(code, each))).toEqual([]);
});

test("every file and room that the documents name is there, and every room is named", () => {
  const paths = inCode(house).filter((each) => /^(src|test|scripts|drizzle)\//.test(each));
  expect(paths.length).toBeGreaterThan(25);
  expect(paths.filter((each) => !existsSync(join(ROOT, each)))).toEqual([]);

  const rooms = Object.keys(ROOMS).map((room) => (room === "main" ? "main.ts" : `${room}/`));
  expect(rowsOf(sectionOf(house, "Rooms")).flatMap(([first = ""]) => inCode(first))).toEqual([
    "main.ts",
    ...rooms.filter((each) => each !== "main.ts"),
    ...Object.keys(FLOORS).map((each) => `${each}/`),
  ]);
  for (const [name, floors] of Object.entries(FLOORS)) {
    const row = rowsOf(sectionOf(house, "Rooms")).findLast(([first]) => first === `\`${name}/\``);
    const said = inCode(row?.[1] ?? "");
    const are = floors.flat().filter((each) => each !== "*");
    expect({ name, said }).toEqual({ name, said: are.map((each) => (each.includes(".") ? each : `${each}/`)) });
  }
});

test("every word of the glossary is used in the code", () => {
  const words = rowsOf(sectionOf(house, "Words")).flatMap(([, ...cells]) => inCode(cells.join(" ")));
  expect(words.length).toBeGreaterThan(40);
  expect(words.filter((word) => !mentions(code, word))).toEqual([]);
});

test("the manual says of every dependency why it is there, and of no other", () => {
  const { dependencies, devDependencies } = JSON.parse(textOf("package.json"));
  const rows = rowsOf(sectionOf(textOf("src/manual/develop.md"), "Dependencies")).filter(([name]) =>
    name?.startsWith("`"),
  );
  expect(rows.map(([name]) => name?.slice(1, -1))).toEqual([
    ...Object.keys(dependencies).toSorted(),
    ...Object.keys(devDependencies).toSorted(),
  ]);
  expect(rows.filter(([, why = ""]) => why.length < 4)).toEqual([]);
});

test("a topic of the manual is a title, a sentence and at most 200 lines, in Markdown that a terminal can show", () => {
  expect(topics.length).toBeGreaterThan(20);
  for (const { path, text } of [...topics, { path: "README.md", text: textOf("README.md") }]) {
    expect({ path, isShort: text.trimEnd().split("\n").length <= MOST_LINES }).toEqual({ path, isShort: true });
  }
  for (const { path, text } of topics) {
    const [title = "", summary = ""] = text.split("\n\n");
    expect({ path, title, summary }).toEqual({
      path,
      title: expect.stringMatching(/^# \S[^\n]*$/),
      summary: expect.stringMatching(/^[A-Z][^\n]{10,58}\.$/),
    });
    const prose = text.replaceAll(/^```[^]*?^```$/gm, "").replaceAll(/`[^`]*`/g, "");
    expect({ path, html: /<[a-z/!]/i.test(prose), image: prose.includes("![") }).toEqual({
      path,
      html: false,
      image: false,
    });
  }
});

/** The anchors of a document's headings. */
function anchorsOf(document: string): string[] {
  const headings = document.replaceAll(/^```[^]*?^```$/gm, "").matchAll(/^#+ (.*)$/gm);
  return Array.from(headings, ([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test("each link of a document leads to a file that is there, and to a heading in it", () => {
  const contracts = ["README.md", "src/README.md", "src/contract/README.md"];
  const documents = [...topics, ...contracts.map((path) => ({ path, text: textOf(path) }))];
  const links = documents.flatMap(({ path, text }) =>
    Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, target = ""]) => ({ path, target })),
  );
  const inside = links.filter(({ target }) => !target.startsWith("https:"));
  expect(inside.length).toBeGreaterThan(60);
  const broken = inside.filter(({ path, target }) => {
    const [file = "", anchor] = target.split("#");
    const place = file === "" ? path : join(dirname(path), file);
    if (!existsSync(join(ROOT, place))) return true;
    return anchor !== undefined && !anchorsOf(textOf(place)).includes(anchor);
  });
  expect(broken).toEqual([]);
  // Links of a topic work in the program too, which has topics alone.
  const outside = inside.filter(
    ({ path, target }) => path.startsWith("src/manual/") && !/^((\.\.\/|recipes\/)?[a-z-]+\.md)?(#|$)/.test(target),
  );
  expect(outside).toEqual([]);
});

test("the README lists every topic of the manual once, and every topic that an error or a comment names is there", () => {
  const names = topics.map(({ path }) => basename(path, ".md"));
  const listed = Array.from(
    textOf("README.md").matchAll(/^- \[([a-z-]+)\]\(src\/manual\/(?:recipes\/)?([a-z-]+)\.md\): /gm),
  );
  expect(listed.map(([, shown]) => shown)).toEqual(listed.map(([, , target]) => target));
  expect(listed.map(([, shown = ""]) => shown).toSorted()).toEqual(names.toSorted());
  const named = sources.flatMap(({ path, text }) =>
    Array.from(text.matchAll(/'handoff help ([a-z-]+)'/g), ([, name = ""]) => ({ path, name })),
  );
  expect(named.length).toBeGreaterThan(0);
  const isCommand = (name: string) =>
    ["", ".ts"].some((end) => existsSync(join(ROOT, `src/cli/commands/${name}${end}`)));
  expect(named.filter(({ name }) => !names.includes(name) && !isCommand(name))).toEqual([]);
});

/** True when one of the files has `word`, and not only as a part of a longer one. */
function mentions(files: readonly { readonly text: string }[], word: string): boolean {
  const whole = new RegExp(`(?<![\\w-])${RegExp.escape(word)}(?![\\w-])`, "i");
  return files.some(({ text }) => whole.test(text));
}
