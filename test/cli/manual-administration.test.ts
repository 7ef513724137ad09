import { afterEach, expect, test } from "bun:test";
import { manualBlock } from "../support/manual.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { runHere } from "../support/terminals.ts";

/** The commands of a block of the manual, each as its arguments behind `handoff`. */
function commandsOf(block: string): string[][] {
  const lines = Array.from(block.matchAll(/^(?:sudo )?handoff (.*)$/gm), ([, rest = ""]) => rest);
  return lines.map((line) => Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, word]) => quoted ?? word ?? ""));
}

// Admin commands make their files for their user alone.
const umask = process.umask();
afterEach(() => void process.umask(umask));

test("the commands of the manual for later on, and for who changed what, do what they say, one after the other", async () => {
  using folder = temporaryFolder();
  const run = (...args: string[]) => runHere(args, { HANDOFF_DATA_DIR: folder.path, HOME: "/nonexistent" });
  await run("admin", "team", "create", "platform");
  const mint = (...args: string[]) => run("admin", "key", "create", "--team", "platform", ...args);
  await mint("--identity", "ci", "--scope", "all");
  await mint("--identity", "other", "--scope", "all", "--expires", "7d");
  const blocks = [
    manualBlock("operate", "admin secret list"),
    manualBlock("people-and-keys", "admin team rename"),
    manualBlock("operate", "admin log"),
  ];
  // Nothing has leaked here.
  const commands = blocks.flatMap(commandsOf).filter((args) => !args.includes("revoke"));
  expect(commands).toHaveLength(13);
  for (const args of commands) {
    const { exitCode, stderr } = await run(...args);
    expect({ args, exitCode, stderr }).toMatchObject({ args, exitCode: args.includes("--expiring") ? 1 : 0 });
  }
});
