import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { mintKey, runExecutable } from "../support/executions.ts";
import { startProgram } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary.ts";

const YEAR = 365 * 86_400_000;

/** The warnings logged by a server that was started with `args`, except the one to root. */
async function warningsOf(args: readonly string[]): Promise<Record<string, unknown>[]> {
  await using server = await startProgram(["serve", ...args]);
  const lines = server.stderr().split("\n").filter(Boolean);
  const warnings = lines
    .map((line): Record<string, unknown> => JSON.parse(line))
    .filter(({ level }) => level === "warn");
  return warnings.filter(({ msg }) => !String(msg).startsWith("running as root"));
}

test("a clock years away from the database's latest time is reported once, also by admin commands", async () => {
  using folder = temporaryFolder();
  const args = ["--listen", "127.0.0.1:0", "--data-dir", folder.path];
  await mintKey(folder.path);
  expect(await warningsOf(args)).toEqual([]);
  for (const [latest, says] of [
    [Date.now() - 3 * YEAR, "more than a year ahead of the latest time in the database"],
    [Date.now() + 9 * YEAR, "is behind the latest time in the database"],
  ] as const) {
    const database = new Database(join(folder.path, "handoff.db"));
    database.run("UPDATE clocks SET latest_at = ?", [latest]);
    database.close();
    const { exitCode, stderr } = await runExecutable(["admin", "team", "list", "--data-dir", folder.path]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining(says) });
    expect(stderr).toContain(`the database ${new Date(latest).toISOString()}.`);
    const [warning, ...more] = await warningsOf(args);
    expect(more).toEqual([]);
    expect(warning).toMatchObject({ database: new Date(latest).toISOString(), msg: expect.stringContaining(says) });
    expect(Math.abs(Date.parse(String(warning?.["clock"])) - Date.now())).toBeLessThan(60_000);
  }
}, 20_000);

test("a server on a socket without a base URL for its links warns", async () => {
  using folder = temporaryFolder();
  const listen = `unix:${join(folder.path, "socket")}`;
  const args = ["--listen", listen, "--data-dir", join(folder.path, "data")];
  expect(await warningsOf(args)).toEqual([
    expect.objectContaining({ listen, msg: expect.stringContaining("say with --base-url what they begin with") }),
  ]);
  expect(await warningsOf([...args, "--base-url", "https://handoff.example"])).toEqual([]);
}, 20_000);

test("a range that trusts everybody, and public metrics, cause warnings at startup and in the check", async () => {
  using folder = temporaryFolder();
  const wide = ["--trusted-proxy", "0.0.0.0/0", "--trusted-proxy", "::/0", "--metrics-listen", "0.0.0.0:0"];
  const args = ["--listen", "127.0.0.1:0", "--data-dir", folder.path];
  const expected = [
    { metrics_listen: "0.0.0.0:0", msg: expect.stringContaining("other machines can reach the metrics") },
    { trusted_proxy: "0.0.0.0/0", msg: expect.stringContaining("covers everybody") },
    { trusted_proxy: "::/0", msg: expect.stringContaining("covers everybody") },
  ];
  expect(await warningsOf([...args, ...wide])).toMatchObject(expected);
  const { exitCode, stderr } = await runExecutable(["serve", "--check", ...args, ...wide]);
  expect({ exitCode, lines: stderr.match(/covers everybody|reach the metrics/g) }).toMatchObject({
    exitCode: 0,
    lines: { length: 3 },
  });
  const narrow = ["--trusted-proxy", "10.0.0.0/8", "--trusted-proxy", "::1", "--metrics-listen", "127.0.0.1:0"];
  expect(await warningsOf([...args, ...narrow])).toEqual([]);
}, 20_000);
