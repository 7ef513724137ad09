import { expect, test } from "bun:test";
import { join } from "node:path";
import { handoffCommand } from "../support/executable.ts";
import { jsonOf } from "../support/executions.ts";
import { manualBlock } from "../support/manual.ts";
import { openPlace } from "../support/people.ts";
import type { Place } from "../support/people.ts";

const CREATE = ["admin", "key", "create", "--team", "team", "--identity", "ci", "--scope", "all"];

/** Mints keys with the executable, over the data of a running server. */
function openAdmin(place: Place) {
  const admin = place.person("admin");
  const env = { HANDOFF_DATA_DIR: join(place.folder, "data") };
  const json = async (...args: readonly string[]) => JSON.parse(await admin.must([...args, "--json"], { env }));
  return {
    create: (...networks: readonly string[]) => json(...CREATE, ...networks.flatMap((each) => ["--from", each])),
    rotate: (id: string, ...rest: readonly string[]) => json("admin", "key", "rotate", id, ...rest),
    env,
  };
}

/** Sends a secret with `token`; resolves with the exit code and what was said. */
async function send(place: Place, token: string) {
  const env = { HANDOFF_URL: place.server.url, HANDOFF_API_KEY: token };
  return place.person("sender").run(["send", "--quiet"], { stdin: "fake-local-test-only", env });
}

test("a key works on the networks that it was made for, and so does its successor", async () => {
  await using place = await openPlace();
  const { create, rotate } = openAdmin(place);
  const [here, elsewhere] = [await create("127.0.0.0/8", "2001:db8::/32"), await create("10.0.0.0/8")];
  expect((await send(place, here.token)).exitCode).toBe(0);
  const refused = await send(place, elsewhere.token);
  expect(refused).toMatchObject({ exitCode: 3, stdout: "" });
  expect(refused.stderr).toContain("or for another server or network");
  const [next, others] = [await rotate(here.id, "--overlap", "0s"), await rotate(elsewhere.id)];
  expect(next.networks).toEqual(["127.0.0.0/8", "2001:db8::/32"]);
  expect((await send(place, next.token)).exitCode).toBe(0);
  expect(others.networks).toEqual(["10.0.0.0/8"]);
  expect((await send(place, others.token)).exitCode).toBe(3);
  const moved = await rotate(others.id, "--from", "127.0.0.1");
  expect((await send(place, moved.token)).exitCode).toBe(0);
  // Two keys of one identity were refused.
  const listed = await place.person("reader").must(["events", "--type", "key.refused"], {
    env: { HANDOFF_URL: place.server.url, HANDOFF_API_KEY: (await create()).token },
  });
  const lines = listed.split("\n").map((line) => line.split(" ").slice(1, 5));
  const line = ["key.refused", "-", `api_key:${elsewhere.identity.id}`, "-"];
  expect(lines).toEqual([line, line]);
}, 60_000);

test("the lines of the manual bind a key to networks, as a trusted proxy names them", async () => {
  await using place = await openPlace(["--trusted-proxy", "127.0.0.1"]);
  const { env } = openAdmin(place);
  await place.admin("team", "create", "platform");
  const [executable = ""] = handoffCommand();
  const [create = "", rotate = ""] = manualBlock("people-and-keys", "--from").split(/^#.*$/m);
  const run = async (lines: string) => {
    const script = `sudo() { "$@"; }; handoff() { '${executable}' "$@"; }\n${lines}`;
    const child = Bun.spawn(["bash", "-euo", "pipefail", "-c", script], {
      env: { ...env, PATH: process.env["PATH"] ?? "", HOME: place.folder },
      stdout: "pipe",
      stderr: "ignore",
    });
    const [stdout, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
    expect({ lines, exitCode }).toEqual({ lines, exitCode: 0 });
    return stdout.trim();
  };
  const statusFrom = async (token: string, address: string) => {
    const headers = { authorization: `Bearer ${token}`, "x-forwarded-for": address };
    return (await fetch(`${place.server.url}/api/v1/credential`, { headers })).status;
  };
  const key = await run(`${create}\necho "$KEY"`);
  const first = [await statusFrom(key, "10.2.3.4"), await statusFrom(key, "2001:db8::1")];
  expect([...first, await statusFrom(key, "192.0.2.1")]).toEqual([200, 200, 401]);
  const headers = { authorization: `Bearer ${key}`, "x-forwarded-for": "10.2.3.4" };
  const known = await jsonOf(fetch(`${place.server.url}/api/v1/credential`, { headers }));
  const next = await run(rotate.replace("key_…", known.key_id));
  const after = [
    await statusFrom(next, "10.1.2.3"),
    await statusFrom(next, "10.2.3.4"),
    await statusFrom(key, "10.2.3.4"),
  ];
  expect(after).toEqual([200, 401, 200]);
}, 60_000);
