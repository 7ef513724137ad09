import { readFileSync } from "node:fs";
import { join } from "node:path";

const MANUAL = join(import.meta.dir, "../../src/manual");

/** The program in `language` in a topic of the manual, such as `clients.md`. Throws when there is none. */
export function programIn(topic: string, language: string): string {
  const text = readFileSync(join(MANUAL, topic), "utf8");
  const [, program] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "ms").exec(text) ?? [];
  if (program === undefined) throw new Error(`${topic} has no program in ${language}`);
  return program;
}
