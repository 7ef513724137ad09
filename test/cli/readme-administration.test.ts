import { afterEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../support/temporary.ts";
import { runHere } from "../support/terminals.ts";

const readme = readFileSync(join(import.meta.dir, "../../README.md"), "utf8");

/** The commands of the first block of the README under `heading`, each as its arguments behind `handoff`. */
function commandsOf(heading: string): string[][] {
  const section = readme.split(/^#{2,3} /m).find((each) => each.startsWith(`${heading}\n`)) ?? "";
  const [, block = ""] = /^```sh\n(.*?)^```/ms.exec(section) ?? [];
  return block
    .trimEnd()
    .split("\n")
    .map((line) =>
      Array.from(line.replace(/ +# .*$/, "").matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, word]) => quoted ?? word ?? ""),
    )
    .map(([, ...args]) => args);
}

// Admin commands make their files for their user alone.
const umask = process.umask();
afterEach(() => void process.umask(umask));

test("the commands of 'Later on' and 'Who changed what' do what they say, one after the other", async () => {
  using folder = temporaryFolder();
  const run = (...args: string[]) => runHere(args, { HANDOFF_DATA_DIR: folder.path, HOME: "/nonexistent" });
  await run("admin", "team", "create", "platform");
  const mint = (...args: string[]) => run("admin", "key", "create", "--team", "platform", ...args);
  await mint("--identity", "ci", "--scope", "all");
  await mint("--identity", "other", "--scope", "all", "--expires", "7d");
  const seen = commandsOf("A link has leaked").filter((args) => !args.includes("revoke"));
  const commands = [...seen, ...commandsOf("Later on"), ...commandsOf("Who changed what")];
  expect(commands).toHaveLength(13);
  for (const args of commands) {
    const { exitCode, stderr } = await run(...args);
    expect({ args, exitCode, stderr }).toMatchObject({ args, exitCode: args.includes("--expiring") ? 1 : 0 });
  }
});
