import { expect, test } from "bun:test";
import { MANUAL_TOPICS, manualText } from "../support/manual.ts";
import { runHere } from "../support/terminals.ts";

test("every command and flag that the manual and the README name exists", async () => {
  const all = ["README", ...MANUAL_TOPICS].map(manualText).join("\n");
  const code = (all.match(/^```sh\n.*?^```|(?<!`)`[^`\n]+`/gms) ?? []).join("\n").replaceAll(/\\\n */g, "");
  const lines = code.match(/(?<=^ *|[$(|`] ?|sudo |&& |dist\/)handoff [a-z].*$/gm) ?? [];
  const helps = new Map<string, ReturnType<typeof runHere>>();
  const help = (names: readonly string[]) =>
    helps.getOrInsertComputed(names.join(" "), () => runHere(["help", ...names], {}));
  for (const line of lines) {
    // What follows '--' is another program's.
    const words = (line.split(/ -- |[|`)#<>]/)[0] ?? "").trim().split(/\s+/).slice(1);
    const end = words.findIndex((word) => !/^[a-z]+$/.test(word));
    const names = (end < 0 ? words : words.slice(0, end)).slice(0, words[0] === "admin" ? 3 : 1);
    while (names.length > 1 && (await help(names)).exitCode !== 0) names.pop();
    const { exitCode } = await help(names);
    const { stdout } = await runHere([...names, "--help"], {});
    expect({ line, exitCode }).toEqual({ line, exitCode: 0 });
    const flags = words.filter((word) => word.startsWith("--"));
    const missing = flags.filter((flag) => !stdout.includes(`${flag} `) && !stdout.includes(`${flag}\n`));
    expect({ line, missing }).toEqual({ line, missing: [] });
  }
  expect(helps.size).toBeGreaterThan(50);
});

test("no recipe takes a member that isn't there for a value", () => {
  const lines = ["README", ...MANUAL_TOPICS].flatMap((topic) => manualText(topic).split("\n"));
  const recipes = lines.filter((line) => /\bjq( -\S+)* (-\w*r|--raw)/.test(line) && !line.includes("select("));
  expect(recipes.length).toBeGreaterThan(0);
  expect(recipes.filter((line) => !/\bjq -er\b/.test(line))).toEqual([]);
});
