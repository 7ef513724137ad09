import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { run } from "../../src/cli/run.ts";
import { startTestServer } from "../support/server.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { createTestTerminal, runHere } from "../support/terminals.ts";

// Admin commands make their files for their user alone.
const umask = process.umask();
afterEach(() => void process.umask(umask));

test("--quiet still reports a new database, and what is deleted with a team before asking", async () => {
  using folder = temporaryFolder();
  const env = { HANDOFF_DATA_DIR: join(folder.path, "mistyped"), HOME: "/nonexistent" };
  const admin = (line: string, answers: readonly string[] = []) => {
    const terminal = createTestTerminal({ env, answers, isTerminal: { in: true } });
    return run(["admin", ...line.split(" ")], terminal).then((exitCode) => ({ exitCode, said: terminal.said }));
  };
  const made = `Created the team 'ops' in a new database in '${join(folder.path, "mistyped")}'.`;
  expect(await admin("team create -q ops", ["y"])).toEqual({ exitCode: 0, said: [made] });
  expect(await admin("team create -q web")).toEqual({ exitCode: 0, said: [] });
  const gone = await admin("team delete --quiet ops", ["y"]);
  expect(gone).toEqual({ exitCode: 0, said: [expect.stringContaining("With the team 'ops' go: ")] });
  expect(await admin("team delete --quiet web --yes")).toEqual({ exitCode: 0, said: [] });
});

test("with --quiet what can't be done without stays: an error, a QR code, and a link that standard output has no place for", async () => {
  using folder = temporaryFolder();
  await using server = await startTestServer();
  const base = { HOME: folder.path, HANDOFF_URL: server.url, ...server.backend.storage.env };
  await runHere(["admin", "team", "create", "ops"], base);
  const mint = ["admin", "key", "create", "--team", "ops", "--identity", "ci", "--scope", "all", "-q"];
  const { stdout: token, stderr } = await runHere(mint, base);
  expect(stderr).toBe("");
  const env = { ...base, HANDOFF_API_KEY: token.trim() };
  const asked = await runHere(["request", "--wait", "--timeout", "1s", "-q"], env);
  expect({ ...asked, stderr: asked.stderr.split("\n") }).toEqual({
    exitCode: 7,
    stdout: "",
    stderr: [
      expect.stringContaining(`${server.url}/r/req_`),
      expect.stringContaining("Nothing has been handed in yet"),
      "",
    ],
  });
  const sent = await runHere(["send", "--qr", "--quiet"], env, "fake-local-test-only");
  expect(sent.stdout).toContain(`${server.url}/s/sec_`);
  expect(sent.stderr).toMatch(/^[\s█▀▄]+$/);
});

test("--quiet is no setting of a server, whose log has a level", async () => {
  const { exitCode, stderr } = await runHere(["serve", "--quiet"], {});
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: "handoff: --quiet is for --check. What a server logs is set by --log-level.\n",
  });
});
