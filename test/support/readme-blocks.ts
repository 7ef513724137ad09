import { readFileSync } from "node:fs";
import { join } from "node:path";

const readme = readFileSync(join(import.meta.dir, "../../README.md"), "utf8");

/**
 * The blocks of code in `language` that the README has under `heading`, before the next heading. Throws when there are
 * none.
 */
export function blocksUnder(heading: string, language = "sh"): string[] {
  const section = readme.split(/^#{2,3} /m).find((each) => each.startsWith(`${heading}\n`)) ?? "";
  const blocks = [...section.matchAll(/^```(\w+)\n(.*?)^```/gms)].filter(([, kind]) => kind === language);
  if (blocks.length === 0) throw new Error(`the README has no ${language} under '${heading}'`);
  return blocks.map(([, , block = ""]) => block);
}
