import { afterEach, expect, test } from "bun:test";
import { parseTrustedProxies } from "../../src/http/gate/addresses.ts";
import { startTestServer } from "../support/server.ts";
import { runHere } from "../support/terminals.ts";

const BODY = { envelope: { version: 1, ciphertext: "fake-local-test-only" } };
const MINUTE = 60_000;
const TIME = expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/);

// Admin commands make their files for their user alone.
const umask = process.umask();
afterEach(() => void process.umask(umask));

/** A server that logs addresses, with two teams. Time goes on by a minute before each call. */
async function startTeams() {
  const server = await startTestServer({
    http: { logAddresses: true, trustedProxies: parseTrustedProxies(["127.0.0.1"]) },
  });
  const { backend } = server;
  const env = { ...backend.storage.env, HOME: "/nonexistent" };
  const admin = (...args: string[]) => runHere(["admin", ...args], env);
  const tokens = new Map<string, string>();
  for (const team of ["ops", "web"]) {
    await admin("team", "create", team);
    const args = ["--team", team, "--identity", `${team}-ci`, "--scope", "all"];
    tokens.set(team, (await admin("key", "create", ...args)).stdout.trim());
  }
  const call = async (path: string, token: string, body?: unknown) => {
    backend.clock.advance(MINUTE);
    const headers = { "x-forwarded-for": "203.0.113.7" };
    return (await server.call("POST", `/api/v1/secrets${path}`, { token, body, headers })).json;
  };
  return {
    backend,
    admin,
    audit: (...args: string[]) => admin("audit", "--team", "ops", ...args),
    send: (team: string, query = ""): Promise<{ id: string; claim_token: string }> =>
      call(query, tokens.get(team) ?? "", BODY),
    open: ({ id, claim_token: token }: { id: string; claim_token: string }) => call(`/${id}/claim`, token),
    ask: ({ id, claim_token: token }: { id: string; claim_token: string }): Promise<{ words: string[] }> =>
      call(`/${id}/asks`, token),
    async sweep() {
      backend.clock.advance(MINUTE);
      while (await backend.service.store.sweep(100));
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test("an audit has a line for each event of the team, with who did it and from where", async () => {
  await using place = await startTeams();
  const secret = await place.send("ops", "?reference=OPS-1");
  await place.send("web");
  await place.open(secret);
  const { stdout, stderr, exitCode } = await place.audit();
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
  expect(lines).toEqual([
    [
      TIME,
      "secret.created",
      secret.id,
      "OPS-1",
      expect.stringMatching(/^ops-ci \(idn_\w+\)$/),
      "-",
      "203.0.113.7",
      "-",
    ],
    [TIME, "secret.claimed", secret.id, "OPS-1", "holder of the link", "-", "203.0.113.7", "-"],
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining("The log has no hash yet") });
  // The time of the claim.
  const time = lines[1]?.[0] ?? "";
  const ofTime = async (...args: string[]) => (await place.audit(...args)).stdout.match(/secret\.\w+/g);
  expect(await ofTime("--since", time)).toEqual(["secret.claimed"]);
  expect(await ofTime("--until", time)).toEqual(["secret.created"]);
  expect(await ofTime("--until", "2026-11-21")).toBeNull();
  const json = (await place.audit("--json")).stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(json).toMatchObject([
    { type: "secret.created", secret_id: secret.id, actor: "api_key", name: "ops-ci", address: null, proof: null },
    { type: "secret.claimed", actor: "link", identity: null, network: "203.0.113.7", reference: "OPS-1" },
    { sealed_until: null, hash: null },
  ]);
});

test("an audit says so when nothing happened between its times, and prints nothing else", async () => {
  await using place = await startTeams();
  const none = "There are no events of the team 'ops'";
  const empty = await place.audit();
  expect(empty).toMatchObject({ exitCode: 0, stdout: "" });
  expect(empty.stderr).toStartWith(`${none}.\n`);
  await place.send("ops");
  const early = ["--since", "2020-01-01T01:00+01:00", "--until", "2020-01-02"];
  const range = "between 2020-01-01T00:00:00.000Z and 2020-01-02T00:00:00.000Z";
  expect((await place.audit(...early)).stderr).toStartWith(`${none} ${range}.\n`);
  expect((await place.audit("--until", "2020-01-02")).stderr).toStartWith(`${none} before 2020-01-02T00:00:00.000Z.\n`);
  expect((await place.audit("--since", "9999-01-01")).stderr).toStartWith(`${none} since 9999-01-01T00:00:00.000Z.\n`);
  expect(await place.audit(...early, "--json")).toMatchObject({
    exitCode: 0,
    stdout: '{"sealed_until":null,"hash":null}\n',
    stderr: `${none} ${range}.\n`,
  });
  const { stdout } = await place.audit(...early, "--csv");
  expect(stdout).toBe("time,type,secret_id,request_id,reference,actor,identity,name,address,proof,network,ask,id\r\n");
  expect((await place.audit()).stderr).not.toContain("no events");
});

test("the line of an ask for approval has its words", async () => {
  await using place = await startTeams();
  const secret = await place.send("ops", "?approval=sender");
  const { words } = await place.ask(secret);
  const lines = (await place.audit()).stdout.trimEnd().split("\n");
  expect(lines.map((line) => line.split("\t").at(-1))).toEqual(["-", words.join(" ")]);
});

test("the CSV has a line of names, and no cell that a spreadsheet computes", async () => {
  await using place = await startTeams();
  await place.send("ops");
  // Rows of no version of handoff, and of any.
  await place.backend.storage.run(`UPDATE events SET address = '+1\n"x"', reference = '@SUM("1,2")'`);
  const { stdout } = await place.audit("--csv");
  const [names, line, ...rest] = stdout.split("\r\n");
  expect(names).toBe("time,type,secret_id,request_id,reference,actor,identity,name,address,proof,network,ask,id");
  expect(line).toContain(`,"'@SUM(""1,2"")",api_key,idn_`);
  expect(line).toContain(`,ops-ci,"'+1 ""x""",,203.0.113.7,,evt_`);
  expect(rest).toEqual([""]);
});

test("a hash that was printed is in the log later on, and not after a line was taken out with its seals", async () => {
  await using place = await startTeams();
  const secrets = [await place.send("ops"), await place.send("ops")];
  await place.sweep();
  const { stderr } = await place.audit();
  const [, hash = ""] = /^Hash of the log until 20[\dT:.-]+Z: ([0-9a-f]{64})\n$/.exec(stderr) ?? [];
  expect(hash).not.toBe("");
  await place.send("ops");
  await place.sweep();
  const later = await place.audit("--json", "--expect", hash);
  expect(later.exitCode).toBe(0);
  const last = JSON.parse(later.stdout.trimEnd().split("\n").at(-1) ?? "");
  expect(last).toEqual({ sealed_until: TIME, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(last.hash).not.toBe(hash);
  const unknown = await place.audit("--expect", "0".repeat(64));
  expect(unknown).toMatchObject({
    exitCode: 1,
    stdout: "",
    stderr: expect.stringContaining("no longer has this hash"),
  });
  await place.backend.storage.run(`DELETE FROM events WHERE secret_id = '${secrets[0]?.id}'`);
  const broken = await place.audit("--expect", hash);
  expect(broken).toMatchObject({ exitCode: 1, stdout: "", stderr: expect.stringContaining("admin check") });
  const check = await place.admin("check", "--json");
  expect(check.exitCode).toBe(1);
  const findings = JSON.parse(check.stdout).filter(({ check: name }: { check: string }) => name === "event log");
  expect(findings).toMatchObject([
    {
      level: "failed",
      text: expect.stringMatching(
        /^Between its beginning and 20[\dT:.-]+Z, 1 line of 1 is missing of the team 'ops'\. /,
      ),
    },
  ]);
});

test("a hash counts no longer once all lines that it stood for are gone, as if their time were over", async () => {
  await using place = await startTeams();
  const { storage } = place.backend;
  await place.send("ops");
  await place.sweep();
  const [, hash = ""] = /: ([0-9a-f]{64})\n$/.exec((await place.audit()).stderr) ?? [];
  await place.send("ops");
  await place.sweep();
  const [seal] = await storage.run<{ id: number; ends_at: number }>(
    `SELECT id, ends_at FROM event_seals ORDER BY id LIMIT 1 OFFSET 1`,
  );
  await storage.run(`DELETE FROM events WHERE created_at <= ${seal?.ends_at}`);
  await storage.run(`DELETE FROM event_seals WHERE id < ${seal?.id}`);
  expect((await place.audit()).exitCode).toBe(0);
  expect(await place.audit("--expect", hash)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/no longer has this hash\. It begins at 20/),
  });
});

test("'admin check' says up to when the log is whole, and whose lines have long been without a seal", async () => {
  await using place = await startTeams();
  const logsOf = async () =>
    JSON.parse((await place.admin("check", "--json")).stdout).filter(
      ({ check }: { check: string }) => check === "event log",
    );
  expect(await logsOf()).toMatchObject([{ level: "ok", text: expect.stringContaining("No line is sealed yet") }]);
  // The clock of this test is ahead of the command's, so what is old now has to be made so.
  const { storage } = place.backend;
  const last = "WHERE id = (SELECT max(id) FROM events)";
  await place.send("web");
  const [event] = await storage.run<{ created_at: number }>(`SELECT created_at FROM events ${last}`);
  await storage.run(`UPDATE events SET created_at = 1000 ${last}`);
  const unsealed = {
    level: "warning",
    check: "event log",
    text: expect.stringContaining("Lines of the team 'web' have no seal, the oldest from 1970-01-01T00:00:01"),
  };
  expect(await logsOf()).toEqual([unsealed]);
  await storage.run(`UPDATE events SET created_at = ${Number(event?.created_at)} ${last}`);
  await place.sweep();
  const sealed = {
    level: "ok",
    check: "event log",
    text: expect.stringMatching(/^Every line up to 20[\dT:.-]+Z is as it was sealed\.$/),
  };
  expect(await logsOf()).toEqual([sealed]);
  // Times never go back along the log.
  await place.send("web");
  await storage.run(`UPDATE events SET created_at = 1000 ${last}`);
  const added = {
    level: "failed",
    check: "event log",
    text: expect.stringContaining("1 line was added to 0 of the team 'web'"),
  };
  expect(await logsOf()).toEqual([added, unsealed]);
  const { exitCode, stderr } = await place.audit();
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: expect.stringContaining("The log isn't as it was sealed"),
  });
});

test("what an audit can't do is said, and nothing is printed", async () => {
  await using place = await startTeams();
  for (const [args, exitCode, text] of [
    [["--csv", "--json"], 2, "--csv or --json"],
    [["--since", "yesterday"], 2, "--since must be a day such as 2026-11-28"],
    [["--since", "2026-11-28T14:30"], 2, "a time with its zone such as 2026-11-28T14:30Z"],
    [["--until", "2026-02-31"], 2, "--until must be a day"],
    [["--expect", "abc"], 2, "--expect must be a hash"],
    [["--since", "1d", "--until", "2d"], 2, "--since must be before --until"],
    [["--team", "nobody"], 1, "there is no team 'nobody'"],
  ] as const) {
    expect({ args, ...(await place.audit(...args)) }).toEqual({
      args,
      exitCode,
      stdout: "",
      stderr: expect.stringContaining(text),
    });
  }
  expect(await place.admin("audit")).toMatchObject({ exitCode: 2, stdout: "" });
});
