import { expect, test } from "bun:test";
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { startAgent } from "../support/agents.ts";
import { openPlace } from "../support/people.ts";
import type { Person } from "../support/people.ts";

const SCOPES = ["requests:create", "requests:read", "requests:revoke", "secrets:claim"];
const FOLDER = ".local/state/handoff/requests/";
const idOf = (link: string) => /req_[0-9a-v]{26}/.exec(link)?.[0] ?? "";
const keysOf = (person: Person) =>
  person
    .files()
    .filter((file) => file.startsWith(FOLDER))
    .map((file) => readFileSync(join(person.home, file), "utf8"));

/** The server at `url`, except that each request has the id `id`, which is unknown here. */
function startMasquerade(url: string, id: string) {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const { method } = request;
      if (pathname.endsWith(id)) return Response.json({ code: "not_found" }, { status: 404 });
      const headers = { authorization: request.headers.get("authorization") ?? "", "content-type": "application/json" };
      const body = method === "POST" ? await request.text() : null;
      const answer = await fetch(`${url}${pathname}${search}`, { method, headers, body });
      return new Response((await answer.text()).replaceAll(/req_[0-9a-v]{26}/g, id), { status: answer.status });
    },
  });
}

test("a server that returns the id of another server's request gets at no key", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", SCOPES);
  const link = await ann.must(["request"]);
  const [honest = ""] = keysOf(ann);
  using hostile = startMasquerade(place.server.url, idOf(link));
  const env = { HANDOFF_URL: hostile.url.origin };
  const other = await ann.must(["request"], { env });
  expect(idOf(other)).toBe(idOf(link));
  expect(keysOf(ann)).toHaveLength(2);
  expect(keysOf(ann)).toContain(honest);
  // Neither through an agent, nor by denying the request.
  await using agent = await startAgent(ann, [], env);
  await agent.client.callTool({ name: "request_secret", arguments: { note: "x" } });
  expect(await ann.run(["collect"], { env })).toMatchObject({ exitCode: 3 });
  expect(keysOf(ann)).toHaveLength(2);
  expect(keysOf(ann)).toContain(honest);
  await ann.must(["submit", link], { stdin: "precious" });
  expect(await ann.must(["collect", idOf(link)])).toBe("precious");
}, 30_000);

test("a server that returns the id of an earlier request is detected", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", SCOPES);
  using hostile = startMasquerade(place.server.url, "req_00000000000000000000000000");
  const env = { HANDOFF_URL: hostile.url.origin };
  await ann.must(["request"], { env });
  const kept = keysOf(ann);
  const again = await ann.run(["request"], { env });
  expect(again).toMatchObject({ exitCode: 1, stdout: "" });
  expect(again.stderr).toContain("The server answered with the ID of another request of yours.");
  expect(keysOf(ann)).toEqual(kept);
}, 30_000);

test("a key file without a server in its name, as older versions wrote it, is found and finally deleted", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", SCOPES);
  const link = await ann.must(["request"]);
  const [file = ""] = ann.files().filter((each) => each.startsWith(FOLDER));
  renameSync(join(ann.home, file), join(ann.home, FOLDER, idOf(link)));
  expect(JSON.parse(await ann.must(["collect", "--json"]))).toMatchObject([{ id: idOf(link), waiting: 0 }]);
  await ann.must(["submit", link], { stdin: "precious" });
  expect(await ann.must(["collect", idOf(link)])).toBe("precious");
  expect(keysOf(ann)).toEqual([]);
});

test("requests of another server, and a damaged key, do not break the list", async () => {
  await using place = await openPlace();
  await using elsewhere = await openPlace();
  const ann = await place.member("ann", SCOPES);
  const there = { HANDOFF_URL: elsewhere.server.url, HANDOFF_API_KEY: await elsewhere.mint(SCOPES) };
  const [here, other] = [
    await ann.must(["request", "--note", "two\nlines"]),
    await ann.must(["request"], { env: there }),
  ];
  const damaged = join(ann.home, FOLDER, "req_00000000000000000000000000");
  await Bun.write(damaged, "{");
  await Bun.$`chmod 600 ${damaged}`;
  const { exitCode, stdout, stderr } = await ann.run(["collect"]);
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: expect.stringMatching(new RegExp(`^REQUEST .*\\n${idOf(here)} +open +0 +two lines\\n$`)),
  });
  expect(stderr).toBe(
    `The file '${damaged}' is damaged.\n${idOf(other)} was made on ${elsewhere.server.url}. To see it, log in there.\n`,
  );
  expect(JSON.parse(await ann.must(["collect", "--json"]))).toEqual([
    {
      id: idOf(here),
      server: place.server.url,
      state: "open",
      waiting: 0,
      note: "two\nlines",
      label: null,
      reference: null,
    },
    {
      id: idOf(other),
      server: elsewhere.server.url,
      state: null,
      waiting: null,
      note: null,
      label: null,
      reference: null,
    },
  ]);
}, 30_000);
