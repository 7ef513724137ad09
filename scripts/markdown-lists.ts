const COLUMNS = 120;

/** An item of a list in Markdown, in lines of at most 120 columns. Text in code font stays in one line. */
export function listItem(text: string): string {
  // A blank in code font, until the lines are made.
  const words = text.replaceAll(/`[^`]*`/g, (code) => code.replaceAll(" ", "\0")).split(" ");
  const lines = [`- ${words[0]}`];
  for (const word of words.slice(1)) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length <= COLUMNS) lines[lines.length - 1] = line;
    else lines.push(`  ${word}`);
  }
  return lines.join("\n").replaceAll("\0", " ");
}

/** `document` with `body` under `heading`, up to the next heading of that level. Throws without such a heading. */
export function withSection(document: string, heading: string, body: string): string {
  const start = document.indexOf(`\n## ${heading}\n`);
  if (start < 0) throw new Error(`there is no section '${heading}'`);
  const next = document.indexOf("\n## ", start + 1);
  const rest = next < 0 ? "" : document.slice(next);
  return `${document.slice(0, start)}\n## ${heading}\n\n${body}\n${rest}`;
}
