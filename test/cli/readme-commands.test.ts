import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runHere } from "../support/terminals.ts";

const readme = readFileSync(join(import.meta.dir, "../../README.md"), "utf8");

test("every command and flag that the README names exists", async () => {
  const code = (readme.match(/^```sh\n.*?^```|(?<!`)`[^`\n]+`/gms) ?? []).join("\n");
  const lines = code.match(/(?<=^|[$(|`] ?|sudo |&& )handoff [a-z].*$/gm) ?? [];
  const help = (names: readonly string[]) => runHere(["help", ...names], {});
  const helps = new Map<string, string>();
  for (const line of lines) {
    // What follows '--' is another program's.
    const words = (line.split(/ -- |[|`)#<>]/)[0] ?? "").trim().split(/\s+/).slice(1);
    const end = words.findIndex((word) => !/^[a-z]+$/.test(word));
    const names = (end < 0 ? words : words.slice(0, end)).slice(0, words[0] === "admin" ? 3 : 1);
    while (names.length > 1 && (await help(names)).exitCode !== 0) names.pop();
    const { exitCode, stdout } = await help(names);
    expect({ line, exitCode }).toEqual({ line, exitCode: 0 });
    helps.set(names.join(" "), stdout);
    const flags = words.filter((word) => word.startsWith("--"));
    const missing = flags.filter((flag) => !stdout.includes(`${flag} `) && !stdout.includes(`${flag}\n`));
    expect({ line, missing }).toEqual({ line, missing: [] });
  }
  expect(helps.size).toBeGreaterThan(12);
});
