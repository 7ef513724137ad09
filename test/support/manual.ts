import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
const MANUAL = join(ROOT, "src/manual");

/** The names of the topics of the manual. */
export const MANUAL_TOPICS = [...new Bun.Glob("**/*.md").scanSync(MANUAL)]
  .map((name) => name.slice(0, -".md".length))
  .toSorted();

/** The text of a topic of the manual, or of `README`. */
export function manualText(topic: string): string {
  return readFileSync(topic === "README" ? join(ROOT, "README.md") : join(MANUAL, `${topic}.md`), "utf8");
}

/** The blocks of code in `language` in a topic of the manual, or in `README`. */
export function manualBlocks(topic: string, language = "sh"): string[] {
  return Array.from(manualText(topic).matchAll(/^```(\w+)\n(.*?)^```/gms))
    .filter(([, kind]) => kind === language)
    .map(([, , block = ""]) => block);
}

/** The first of these blocks that contains `words`. Throws when none does. */
export function manualBlock(topic: string, words = "", language = "sh"): string {
  const found = manualBlocks(topic, language).find((block) => block.includes(words));
  if (found === undefined) throw new Error(`'${topic}' has no block in ${language} with '${words}'`);
  return found;
}
