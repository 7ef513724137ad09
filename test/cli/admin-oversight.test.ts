import { afterEach, expect, test } from "bun:test";
import { startTestServer } from "../support/server.ts";
import { runHere } from "../support/terminals.ts";

const RECIPIENT = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";

// Admin commands make their files for their user alone.
const umask = process.umask();
afterEach(() => void process.umask(umask));

/** A server with two teams, and what they make there. */
async function startTeams() {
  const server = await startTestServer();
  const env = { ...server.backend.storage.env, HOME: "/nonexistent" };
  const admin = (line: string, stdin = "") => runHere(["admin", ...line.split(" ")], env, stdin);
  const tokens = new Map<string, string>();
  for (const team of ["ops", "web"]) {
    await admin(`team create ${team}`);
    const minted = await admin(`key create --team ${team} --identity ${team}-ci --scope all`);
    tokens.set(team, minted.stdout.trim());
  }
  const post = async (team: string, path: string, body: unknown) =>
    (await server.call("POST", path, { token: tokens.get(team) ?? "", body })).json;
  return {
    admin,
    env,
    send: async (team: string, reference?: string): Promise<{ id: string }> =>
      post(team, `/api/v1/secrets${reference ? `?reference=${reference}` : ""}`, {
        envelope: { version: 1, ciphertext: "fake-local-test-only" },
      }),
    ask: async (team: string): Promise<{ id: string }> => post(team, "/api/v1/requests", { recipient: RECIPIENT }),
    claim: (team: string, id: string) =>
      server.call("POST", `/api/v1/secrets/${id}/claim`, { token: tokens.get(team) ?? "", body: undefined }),
    state: async (team: string, path: string) =>
      (await server.call("GET", `/api/v1/${path}`, { token: tokens.get(team) ?? "" })).json.state,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test("secrets and requests of all teams are listed, newest first, without anything that opens them", async () => {
  await using place = await startTeams();
  const [first, second, third] = [await place.send("ops"), await place.send("web", "OPS-1"), await place.send("ops")];
  const request = await place.ask("web");
  const ids = async (line: string) =>
    JSON.parse((await place.admin(`${line} --json`)).stdout).map(({ id }: { id: string }) => id);
  expect(await ids("secret list")).toEqual([third.id, second.id, first.id]);
  expect(await ids("secret list --limit 2")).toEqual([third.id, second.id]);
  expect(await ids("secret list --team ops")).toEqual([third.id, first.id]);
  expect(await ids("secret list --state claimed")).toEqual([]);
  expect(await ids("secret list --reference OPS-1")).toEqual([second.id]);
  expect((await place.admin("secret list --team web")).stdout).toMatch(/Z +OPS-1\n$/);
  expect(await place.admin("secret list --reference OPS")).toMatchObject({
    exitCode: 2,
    stdout: "",
    stderr: expect.stringContaining("OPS-4711"),
  });
  expect(await ids("request list")).toEqual([request.id]);
  const table = (await place.admin("secret list")).stdout;
  expect(table).toMatch(
    /^ID +TEAM +STATE +CLAIMS +SIZE +CREATED +ENDS +REFERENCE\nsec_\w+ +ops +waiting +0\/1 +20 bytes /,
  );
  const json = (await place.admin("secret list --json")).stdout + (await place.admin("request list --json")).stdout;
  for (const hidden of ["fake-local-test-only", 'ciphertext"', "token", RECIPIENT]) expect(json).not.toContain(hidden);
});

test("a leaked link is revoked by the id in it, whatever the team, and the log says so without the link", async () => {
  await using place = await startTeams();
  const [secret, request, other] = [await place.send("web"), await place.ask("ops"), await place.send("ops")];
  const link = `https://handoff.example/s/${secret.id}#1.very-secret-seed\n`;
  const revoked = await place.admin("secret revoke", link);
  expect(revoked).toEqual({
    exitCode: 0,
    stdout: "",
    stderr: `Revoked ${secret.id} of the team 'web': nobody can open it any more.\n`,
  });
  expect(await place.state("web", `secrets/${secret.id}`)).toBe("revoked");
  const asked = await place.admin("request revoke -", `https://handoff.example/base/r/${request.id}#1.seed`);
  expect(asked).toMatchObject({ exitCode: 0 });
  expect(await place.state("ops", `requests/${request.id}`)).toBe("revoked");
  expect(await place.admin(`secret revoke ${other.id} --json`)).toMatchObject({ exitCode: 0 });
  const { stdout } = await place.admin("log --json");
  expect(
    stdout.match(
      /"(secret|request)\.revoked","subject":\{"id":"\w+","name":null\},"team":\{"id":"\w+","name":"\w+"\}/g,
    ),
  ).toHaveLength(3);
  expect(stdout).not.toContain("seed");
});

test("a link as an argument is refused without being shown, and so is what is none; too late is exit code 4", async () => {
  await using place = await startTeams();
  const secret = await place.send("web");
  const link = `https://handoff.example/s/${secret.id}#1.very-secret-seed`;
  const refused = await place.admin(`secret revoke ${link}`);
  expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
  expect(refused.stderr).toContain("Give a link on standard input");
  expect(refused.stderr).not.toContain("very-secret-seed");
  expect(await place.state("web", `secrets/${secret.id}`)).toBe("available");
  for (const stdin of ["", "nonsense", link.replace("/s/sec_", "/r/req_"), `${link}\n${link}`]) {
    expect(await place.admin("secret revoke", stdin)).toMatchObject({ exitCode: 2, stdout: "" });
  }
  await place.claim("web", secret.id);
  const late = await place.admin("secret revoke", link);
  expect(late.exitCode).toBe(4);
  expect(late.stderr).toContain("was opened at");
  const unknown = await place.admin(`secret revoke ${secret.id.replace(/.$/, (last) => (last === "0" ? "1" : "0"))}`);
  expect(unknown).toMatchObject({ exitCode: 1 });
  expect((await place.admin("log --json")).stdout).not.toContain("secret.revoked");
});

test("'admin stats' counts what each team has", async () => {
  await using place = await startTeams();
  const secret = await place.send("web");
  await place.send("web");
  await place.ask("web");
  await place.admin(`secret revoke ${secret.id}`);
  const teams = JSON.parse((await place.admin("stats --json")).stdout);
  expect(teams.map(({ name }: { name: string }) => name)).toEqual(["ops", "web"]);
  expect(teams[1]).toMatchObject({
    identities: 1,
    keys: 1,
    people: 0,
    secrets: { available: 1, claimed: 0, expired: 0, revoked: 1 },
    requests: { open: 1, paused: 0, fulfilled: 0, expired: 0, revoked: 0 },
  });
  expect((await place.admin("stats")).stdout).toMatch(/\nweb +\d+\.\d KiB +1 +0 +1 +1 +1 +1 +0\n$/);
});
