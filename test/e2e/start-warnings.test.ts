import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { mintKey, runExecutable } from "../support/executions.ts";
import { openMailServer } from "../support/mail-servers.ts";
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

test("teams of settings that aren't there are named at the start and in the check, and let nobody in by mail", async () => {
  using folder = temporaryFolder();
  await using mails = await openMailServer();
  await mintKey(folder.path);
  const places = `--data-dir ${folder.path} --smtp-url smtp://localhost:${mails.port} --mail-from handoff@mail.test`;
  const teams = "--sign-in-domain a.test=team --sign-in-domain b.test=nowhere --oidc-team elsewhere";
  const provider = "--oidc-issuer http://127.0.0.1:1 --oidc-client-id x --oidc-allow a=b";
  const settings = `${places} ${teams} ${provider}`.split(" ");
  const args = [...settings, "--listen", "127.0.0.1:0"];
  expect(await warningsOf(args)).toMatchObject([
    { setting: "--oidc-team", team: "elsewhere", msg: expect.stringContaining("no team has this name or id") },
    { setting: "--sign-in-domain", team: "nowhere" },
  ]);
  const { stdout } = await runExecutable(["admin", "check", ...settings]);
  expect(stdout.match(/--(oidc-team|sign-in-domain) names '\w+'/g)).toEqual([
    "--oidc-team names 'elsewhere'",
    "--sign-in-domain names 'nowhere'",
  ]);
  {
    await using server = await startProgram(["serve", ...args]);
    for (const address of ["x@b.test", "x@a.test"]) {
      const body = JSON.stringify({ address, language: "en" });
      const headers = { "content-type": "application/json", "sec-fetch-site": "same-origin" };
      expect((await fetch(`${server.url}/app/session/mail`, { method: "POST", body, headers })).status).toBe(202);
    }
    await mails.untilMails(1);
  }
  // The server has ended, and sends no more.
  expect(mails.mails.map(({ to }) => to)).toEqual([["x@a.test"]]);
}, 20_000);
