import { expect, test } from "bun:test";
import { join } from "node:path";
import { exampleId } from "../../src/contract/ids.ts";
import { Secret } from "../../src/contract/secrets.ts";
import { exampleOf } from "../support/clients.ts";
import { temporaryFolder } from "../support/temporary.ts";
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

test("a variable that is given twice, and a link for two variables, are refused before anything is opened", async () => {
  using folder = temporaryFolder();
  const calls: string[] = [];
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch({ method, url }) {
      calls.push(`${method} ${new URL(url).pathname}`);
      return Response.json(exampleOf(Secret));
    },
  });
  const file = join(folder.path, "link");
  await Bun.write(file, `${server.url.origin}/s/${exampleId("secret")}#1.${"A".repeat(22)}`);
  const id = exampleId("request");
  const cases = [
    [`A=@${file}`, `A=@${file}`, "--env gives A twice. Take each variable once."],
    [`A=request:${id}#user`, `A=request:${id}#password`, "--env gives A twice. Take each variable once."],
    [`A=@${file}`, `B=@${file}`, "A and B have the same link. Use one variable, and copy it in the command."],
  ] as const;
  for (const [one, other, said] of cases) {
    const env = { HOME: folder.path, PATH: process.env["PATH"] ?? "" };
    expect(await runHere(["run", "--env", one, "--env", other, "--", "true"], env)).toEqual({
      exitCode: 2,
      stdout: "",
      stderr: `handoff: ${said}\n`,
    });
  }
  expect(calls).toEqual([]);
});
