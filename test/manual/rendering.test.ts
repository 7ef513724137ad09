import { expect, test } from "bun:test";
import { basename } from "node:path";
import { listWideTables, renderForTerminal, renderHtml, renderPlain } from "../../src/manual/rendering.ts";
import { findTopic, TOPICS } from "../../src/manual/topics.ts";
import type { Topic } from "../../src/manual/topics.ts";

const HEADS = TOPICS.map((topic) => [topic.name, topic] as const);
const asTopic = (text: string): Topic => ({ name: "test", group: "", title: "", summary: "", text });
const withoutColors = (text: string) => Bun.stripANSI(text);
/** What no reader of a rendered topic should meet, outside of code. */
const LEFTOVERS = new RegExp(`\\*\\*|\\]\\(|\\b(${TOPICS.map(({ name }) => name).join("|")})\\.md\\b|^#{1,6} `, "m");

test("every file of the manual is a topic, with a title and a sentence", () => {
  const files = [...new Bun.Glob("**/*.md").scanSync(`${import.meta.dir}/../../src/manual`)];
  expect(TOPICS.map(({ name }) => `${name}.md`).toSorted()).toEqual(files.map((file) => basename(file)).toSorted());
  for (const { name, title, summary } of TOPICS) {
    expect([name, title]).toEqual([name, expect.stringMatching(/^[A-Z][\w ,-]+$/)]);
    expect([name, summary]).toEqual([name, expect.stringMatching(/^[A-Z].{20,110}\.$/)]);
  }
});

test.each(HEADS)("%s is a page without leftovers of Markdown", (_, topic) => {
  const html = renderHtml(topic, (name) => `/manual/${name}`);
  const prose = html.replaceAll(/<pre.*?<\/pre>|<code>.*?<\/code>/gs, "").replaceAll(/<[^>]*>/g, "");
  expect(prose).not.toMatch(LEFTOVERS);
  expect(prose).not.toContain("`");
  expect(html).toContain(`<h1 id="`);
  expect(html.match(/<h1/g)).toHaveLength(1);
  expect(html).not.toMatch(/href="[^"]*\.md/);
});

test.each(HEADS)("%s is shown on a terminal without leftovers of Markdown, its prose in 90 columns", (_, topic) => {
  const shown = renderForTerminal(topic, 90);
  expect(shown).toContain("\x1b[");
  const lines = withoutColors(shown).split("\n");
  const prose = lines.filter((line) => !/^ *[│┌└├]/.test(line));
  expect(prose.filter((line) => Bun.stringWidth(line) > 90)).toEqual([]);
  expect(prose.filter((line) => LEFTOVERS.test(line))).toEqual([]);
  expect(lines.filter((line) => /^┌|^├/.test(line) && Bun.stringWidth(line) > 92)).toEqual([]);
});

test.each(HEADS)("%s in Markdown links to nothing but other sites", (_, topic) => {
  const prose = renderPlain(topic).replaceAll(/^```[^]*?^```$/gm, "");
  const links = [...prose.matchAll(/\]\(([^)]*)\)/g)].map(([, target]) => target);
  expect(links.filter((target) => !target?.startsWith("https://"))).toEqual([]);
});

test("every link of a topic leads to a topic, and to a heading that it has", () => {
  const links = TOPICS.flatMap((topic) =>
    [...renderHtml(topic, (name) => `/${name}`).matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => ({
      from: topic.name,
      href,
    })),
  ).filter(({ href }) => !href.startsWith("https://"));
  const broken = links.filter(({ from, href }) => {
    const [path = "", anchor] = href.split("#");
    const target = path === "" ? findTopic(from) : findTopic(path.slice(1));
    return !target || (anchor !== undefined && !renderHtml(target, String).includes(` id="${anchor}"`));
  });
  expect(links.length).toBeGreaterThan(5);
  expect(broken).toEqual([]);
});

test("links name the topic in the way of the place where they are read", () => {
  const topic = asTopic(
    "See [copies](backups.md#moving), `[a](b.md)`, [below](#end), [code](../x/README.md).\n\n# End\n",
  );
  expect(renderHtml(topic, (name) => `/m/${name}`)).toContain(
    '<p>See <a href="/m/backups#moving">copies</a>, <code>[a](b.md)</code>, <a href="#end">below</a>, code.</p>',
  );
  expect(renderPlain(topic)).toStartWith("See copies (`handoff help backups`), `[a](b.md)`, below, code.");
  expect(withoutColors(renderForTerminal(topic, 90))).toStartWith(
    'See copies (see "backups"), [a](b.md), below, code.',
  );
});

test("a table that is too wide becomes a list, and one in a block of code stays", () => {
  const table =
    "| flag | default | what it does |\n| --- | --- | --- |\n| `a\\|b` | 3 | Text that is longer than forty columns, as sentences are. |\n| `c` | | Short. |\n";
  expect(listWideTables(table, 200)).toBe(table);
  expect(listWideTables(table, 40)).toBe(
    "- `a|b`  \n  default: 3  \n  Text that is longer than forty columns, as sentences are.\n- `c`  \n  Short.\n",
  );
  const code = `\`\`\`\n${table}\`\`\`\n`;
  expect(listWideTables(code, 40)).toBe(code);
});

test("raw HTML in a topic is shown as text", () => {
  expect(renderHtml(asTopic("<script>alert(1)</script> <b>x</b>"), String)).not.toMatch(/<script|<b>/);
});
