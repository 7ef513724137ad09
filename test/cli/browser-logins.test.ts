import { expect, test } from "bun:test";
import { run } from "../../src/cli/run.ts";
import { invitePerson } from "../../src/domain/signing-in/persons.ts";
import { createTeam } from "../../src/domain/teams.ts";
import { until } from "../support/polls.ts";
import { startTestServer } from "../support/server.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { createTestTerminal, runHere } from "../support/terminals.ts";

const OWN = { "sec-fetch-site": "same-origin" };

/** Somebody at a terminal, who is signed in at the page of a real server. */
async function setUp(baseUrl?: string) {
  const folder = temporaryFolder();
  const server = await startTestServer(baseUrl === undefined ? {} : { http: { baseUrl: () => baseUrl } });
  const { service } = server.backend;
  await createTeam(service, "ops");
  const { token } = await invitePerson(service, { team: "ops", address: "ann@example.com", name: "Ann" });
  const answer = await server.call("POST", "/app/session", { body: { sign_in_token: token }, headers: OWN });
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  const env = { HOME: folder.path, XDG_CONFIG_HOME: folder.path, XDG_STATE_HOME: folder.path };
  return {
    server,
    env,
    page: (method: string, path: string) => server.call(method, `/app${path}`, { headers: { ...OWN, cookie } }),
    /** Starts `handoff login --browser`, and resolves with the path of its code once that is shown. */
    begin: async (...flags: readonly string[]) => {
      const terminal = createTestTerminal({ env });
      const ended = run(["login", "--browser", "--url", server.url, ...flags], terminal);
      const said = () => terminal.said.join("\n");
      await until(() => / [A-Z]{4}-[A-Z]{4}\n/.test(said()));
      const code = / ([A-Z]{4})-([A-Z]{4})\n/.exec(said()) ?? [];
      return { ended, said, path: `/logins/${`${code[1]}${code[2]}`.toLowerCase()}` };
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

test("'login --browser' shows a code, and is let in as the person who enters it; 'logout' ends it", async () => {
  await using place = await setUp();
  const { begin, page, env, server } = place;
  const { ended, said, path } = await begin("--qr");
  expect(said()).toContain(`Open ${server.url}/login in a browser and enter this code within 10 minutes:`);
  expect(said()).toContain("█");
  expect(said()).not.toContain("Careful");
  expect((await page("GET", path)).json["machine"]).toBeString();
  expect((await page("POST", path)).status).toBe(204);
  await ended;
  expect(said()).toContain(`Logged in to ${server.url} as 'ann@example.com' of the team 'ops'.`);
  expect(said()).toMatch(/It lasts until .+, or until you sign out of that browser\./);
  const who = JSON.parse((await runHere(["whoami", "--json"], env)).stdout);
  expect(who).toMatchObject({ kind: "person", person: { name: "Ann" }, key_id: null });
  const sent = await runHere(["send", "--json"], env, "from a terminal");
  expect(sent.exitCode).toBe(0);
  const [secret] = (await page("GET", "/secrets")).json["data"];
  expect(secret.created_by).toBe(who.identity.id);
  expect((await runHere(["logout"], env)).stderr).toContain(`Logged out of ${server.url}.`);
  expect((await page("GET", "/sessions")).json["data"]).toHaveLength(1);
  expect((await runHere(["whoami"], env)).exitCode).not.toBe(0);
});

test("'login --browser' ends when it is refused, and keeps nothing", async () => {
  await using place = await setUp();
  const { ended, said, path } = await place.begin("--json");
  await place.page("DELETE", path);
  expect(await ended).toBeGreaterThan(0);
  expect(said()).toContain("The login was refused at the page.");
  expect((await runHere(["whoami"], place.env)).exitCode).toBe(2);
});

test("a login that the server no longer knows is removed all the same", async () => {
  await using place = await setUp();
  const { ended, path } = await place.begin();
  await place.page("POST", path);
  await ended;
  await place.server[Symbol.asyncDispose]();
  const { exitCode, stderr } = await runHere(["logout"], place.env);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: `Logged out of ${place.server.url}.\nThe server couldn't be told. The login ends by itself, or when you sign out at the page.\n`,
  });
});

test("'login --browser' says when a server has none, and excludes what makes no sense beside it", async () => {
  using old = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("", { status: 404 }) });
  const { stderr } = await runHere(["login", "--browser", "--url", old.url.origin], { HOME: "/nonexistent" });
  expect(stderr).toContain("This server has no login by the browser.");
  for (const flags of [["--browser", "--key-file", "x"], ["--qr"]]) {
    const wrong = await runHere(["login", "--url", old.url.origin, ...flags], { HOME: "/nonexistent" });
    expect({ flags, exitCode: wrong.exitCode }).toEqual({ flags, exitCode: 2 });
  }
});

test("an address at another server than the one that was named is shown with a warning", async () => {
  await using place = await setUp("https://handoff.other.test");
  const { ended, said, path } = await place.begin();
  expect(said()).toContain("Open https://handoff.other.test/login");
  expect(said()).toContain(`Careful: that address isn't at ${place.server.url}, which you named.`);
  await place.page("DELETE", path);
  await ended;
});

test("a second login by the browser ends the first one of this machine", async () => {
  await using place = await setUp();
  const logIn = async () => {
    const { ended, path } = await place.begin();
    await place.page("POST", path);
    await ended;
  };
  await logIn();
  await logIn();
  const sessions = (await place.page("GET", "/sessions")).json["data"] as { way: string }[];
  expect(sessions.filter(({ way }) => way === "terminal")).toHaveLength(1);
  expect((await runHere(["whoami"], place.env)).exitCode).toBe(0);
});
