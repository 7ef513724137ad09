import { expect, test } from "bun:test";
import { runHere } from "../support/terminals.ts";

test("a 'run' without a command, or without '--', fails in JSON when --json is its own, and not the command's", async () => {
  const cases: readonly (readonly [args: readonly string[], isJson: boolean])[] = [
    [["run", "--json"], true],
    [["run", "--env", "A=@/nowhere", "--json"], true],
    [["run", "--json", "--env", "A=@/nowhere", "no-such-command"], true],
    [["run", "--env", "A=@/nowhere", "no-such-command", "--json"], false],
    [["run", "--json", "--", "no-such-command"], true],
    [["run", "--", "no-such-command", "--json"], false],
  ];
  for (const [args, isJson] of cases) {
    const { exitCode, stderr } = await runHere(args, {});
    expect({ args, exitCode, isJson: stderr.startsWith('{"error":') }).toEqual({ args, exitCode: 2, isJson });
  }
});
