import type { Topic } from "./topics.ts";

/** A link in Markdown, or code, in which nothing is a link. */
const LINK_OR_CODE = /^ *```[^]*?^ *```|`[^`\n]+`|\[((?:`[^`\n]+`|[^\]`])+)\]\(([^)\s]+)\)/gm;
/** A table: lines that begin with a bar. */
const TABLE = /^ *```[^]*?^ *```|(?:^\|.*\|$\n?)+/gm;
/** A column with a longer cell has sentences, which need no name before them. */
const SENTENCE_COLUMNS = 40;

/** Renders a topic as HTML with an ID for each heading. `pathOf` returns the address of another topic. */
export function renderHtml({ text }: Topic, pathOf: (topic: string) => string): string {
  const linked = replaceLinks(text, (label, name, anchor) => `[${label}](${name && pathOf(name)}${anchor})`);
  return (
    Bun.markdown
      .html(linked, { headings: { ids: true }, noHtmlBlocks: true, noHtmlSpans: true })
      // What is wider than its column scrolls, also with the keys.
      .replaceAll("<table>", '<div class="scroll" tabindex="0"><table>')
      .replaceAll("</table>", "</table></div>")
      .replaceAll("<pre>", '<pre tabindex="0">')
  );
}

/** Renders a topic for a terminal of so many `columns`, with colors. */
export function renderForTerminal({ text }: Topic, columns: number): string {
  const linked = replaceLinks(text, (label, name) => (name ? `${label} (see "${name}")` : label));
  return Bun.markdown.ansi(listWideTables(linked, columns), { columns });
}

/** Returns the Markdown of a topic; in place of links to others it names the commands that show them. */
export function renderPlain({ text }: Topic): string {
  return replaceLinks(text, (label, name) => (name ? `${label} (\`handoff help ${name}\`)` : label));
}

/**
 * Replaces the links to topics; `topic` is empty for a link within the same one. Of a link to another file the label
 * stays, and addresses of other sites stay as they are.
 */
export function replaceLinks(
  markdown: string,
  replace: (label: string, topic: string, anchor: string) => string,
): string {
  return markdown.replace(LINK_OR_CODE, (whole, label?: string, target?: string) => {
    if (label === undefined || target === undefined || /^(?:https?|mailto):/.test(target)) return whole;
    const [isOfManual, topic = "", anchor = ""] = /^(?:(?:\.\.\/|recipes\/)?([a-z-]+)\.md)?(#.+)?$/.exec(target) ?? [];
    return isOfManual === undefined ? label : replace(label, topic, anchor);
  });
}

/** Turns tables that are wider than `columns` into lists with an item for each row. */
export function listWideTables(markdown: string, columns: number): string {
  return markdown.replace(TABLE, (table) => {
    const [headings = [], , ...rows] = table.startsWith("|") ? table.trim().split("\n").map(cellsOf) : [];
    const widths = headings.map((_, at) => Math.max(...[headings, ...rows].map((row) => row[at]?.length ?? 0)));
    const width = widths.reduce((sum, each) => sum + each + 3, 1);
    if (rows.length === 0 || width <= columns) return table;
    const names = headings.map((heading, at) =>
      headings.length === 2 || rows.some((row) => (row[at]?.length ?? 0) > SENTENCE_COLUMNS) ? "" : `${heading}: `,
    );
    return `${rows.map((row) => listRow(names, row)).join("\n")}\n`;
  });
}

function cellsOf(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function listRow(names: readonly string[], [first = "", ...rest]: readonly string[]): string {
  const facts = rest.flatMap((cell, at) => (cell === "" ? [] : [`${names[at + 1]}${cell}`]));
  return [`- ${first}`, ...facts].join("  \n  ");
}
