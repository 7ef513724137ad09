import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { ID_PREFIXES } from "../../src/contract/ids.ts";
import { listCommands, walkCommands } from "../support/command-walk.ts";

const ID = new RegExp(String.raw`\b(${Object.values(ID_PREFIXES).join("|")})[0-9a-v]{26}`, "g");

/** The output without the parts that change in each run: ids, tokens, links, places, times and sizes. */
function masked(output: string): string {
  return output
    .replace(ID, "$1")
    .replace(/\b(hak_|hct_|hst_|hut_|whsec_)\S+/g, "$1")
    .replace(/-\w+\.backup/g, ".backup")
    .replace(/https?:\/\/\S+/g, "URL")
    .replaceAll(new RegExp(`${tmpdir()}/[\\w.-]+`, "g"), "FOLDER")
    .replace(/(?<= )[\w-]{22,}$/gm, "RANDOM")
    .replace(/(?<=\t)[a-z]+ [a-z]+ [a-z]+$/gm, "WORDS")
    .replace(/\d+/g, "0")
    .replace(/(0 )+/g, "0 ")
    .replace(/ +/g, " ");
}

test("with --quiet every command prints nothing but warnings on standard error, and the same standard output", async () => {
  const [loud, quiet] = await Promise.all([walkCommands([]), walkCommands(["--quiet"])]);
  // A warning stays.
  const isSilent = (stderr: string) => /^(The link leads to [^\n]+\n)?$/.test(stderr);
  expect(quiet.filter(({ outcome }) => !isSilent(outcome.stderr))).toEqual([]);
  const printed = (steps: typeof loud) =>
    steps.map(({ command, outcome: { exitCode, stdout } }) => ({
      command,
      exitCode,
      // A generated password, and the words of an ask, are others each time.
      stdout: ["gen", "approve"].includes(command) ? stdout.length > 0 : masked(stdout),
    }));
  expect(printed(quiet)).toEqual(printed(loud));
  // Most of them print something without it.
  const talkers = new Set(loud.filter(({ outcome }) => outcome.stderr !== "").map(({ command }) => command));
  expect(talkers.size).toBeGreaterThan(20);
  expect([...new Set(quiet.map(({ command }) => command))].toSorted()).toEqual((await listCommands()).toSorted());
}, 240_000);
