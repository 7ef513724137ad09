import { expect, test } from "bun:test";
import type { Command } from "commander";
import { createProgram } from "../../src/cli/run.ts";
import { TOPICS } from "../../src/manual/topics.ts";
import { createTestTerminal, runHere } from "../support/terminals.ts";

const help = (...args: readonly string[]) => runHere(["help", ...args], {});

test("help lists the commands, and every topic with its summary", async () => {
  const { exitCode, stdout } = await help();
  expect(exitCode).toBe(0);
  const [usage, commands, topics = ""] = stdout.split(/(?=Hand over:|Topics of the manual)/);
  expect(usage).toStartWith("Usage: handoff");
  expect(commands).toMatch(/^ {2}send /m);
  for (const { name, summary } of TOPICS)
    expect(topics).toMatch(new RegExp(`^  ${name} +${RegExp.escape(summary)}$`, "m"));
  expect(topics.split("\n").filter((line) => line.length > 110)).toEqual([]);
  expect((await runHere(["--help"], {})).stdout).toContain("'handoff help' lists the topics");
});

test("no line of prose in the help of a command is wider than its list of options", async () => {
  const program = await createProgram(createTestTerminal(), { args: [], isJson: false }, () => undefined);
  const walk = (command: Command, path: readonly string[]): readonly string[][] => [
    [...path],
    ...command.commands.flatMap((each) => walk(each, [...path, each.name()])),
  ];
  const wide: string[] = [];
  for (const path of walk(program, [])) {
    const { stdout } = await runHere([...path, "--help"], {});
    // Examples and lists are indented.
    wide.push(
      ...stdout.split("\n").filter((line) => /^\S/.test(line) && !line.startsWith("Usage:") && line.length > 80),
    );
  }
  expect(wide).toEqual([]);
});

test("help for a topic is its Markdown where nobody sits at a terminal", async () => {
  const { exitCode, stdout, stderr } = await help("backups");
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toStartWith("# Backups\n");
  expect(Bun.stripANSI(stdout)).toBe(stdout);
  expect(stdout).not.toMatch(/\]\(\w+\.md/);
});

test("help for a command that is a topic too begins with the options", async () => {
  const usage = (await runHere(["send", "--help"], {})).stdout;
  const { stdout } = await help("send");
  expect(stdout).toStartWith(`${usage}\n# Send and open\n`);
  expect((await help("admin", "key", "create")).stdout).toBe(
    (await runHere(["admin", "key", "create", "-h"], {})).stdout,
  );
});

test("a name that is no command and no topic is answered with the nearest one", async () => {
  const topic = await help("backup");
  expect(topic.exitCode).toBe(2);
  expect(topic.stderr).toContain("There is no command or topic 'backup'. Did you mean 'backups'?");
  expect((await help("opne")).stderr).toContain("Did you mean 'open'?");
  expect((await help("perf")).stderr).toContain("Did you mean 'performance'?");
  expect((await help("frobnicate")).stderr).not.toContain("Did you mean");
  const command = await help("admin", "kye");
  expect(command.exitCode).toBe(2);
  expect(command.stderr).toContain("There is no command 'admin kye'. Try 'handoff help admin'.");
});

test("a search lists headings with the lines found, and ends with 1 when there are none", async () => {
  const found = await help("--search", "proxy_pass");
  expect(found.exitCode).toBe(0);
  expect(found.stdout).toMatch(/^proxies: .+\n( {4}.*proxy_pass.*\n)+/);
  const option = await help("--search", "--follow");
  expect(option.stdout).toMatch(/^scripts: .+\n( {4}.*--follow.*\n)+/m);
  const nothing = await help("--search", "frobnicate");
  expect(nothing).toMatchObject({ exitCode: 1, stdout: "" });
  expect(nothing.stderr).toContain("The manual has no 'frobnicate'.");
});
