import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { bodyMemoryBytes } from "../../src/cli/server/memory.ts";
import { createAgeIdentity } from "../../src/crypto/age-identities.ts";
import { openMemoryGroup } from "../support/memory-groups.ts";
import { openPlace } from "../support/people.ts";
import type { Place } from "../support/people.ts";
import { connectRaw } from "../support/raw-connections.ts";

const MIB = 1024 * 1024;
const CONNECTIONS = 100;
const BODY_BYTES = 10 * MIB;

const bytesOf = (name: "VmRSS" | "VmHWM", pid: number) =>
  Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
const residentBytes = (pid: number) => bytesOf("VmRSS", pid);

async function post(place: Place, token: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${place.server.url}/api/v1/${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
}

test("the holder of one link cannot exhaust the memory with bodies that never end", async () => {
  await using place = await openPlace(["--body-memory", "64MiB"]);
  const token = await place.mint(["requests:create", "secrets:create"]);
  const { recipient } = await createAgeIdentity("hybrid");
  // oxlint-disable-next-line typescript/no-explicit-any -- what an answer is made of is what a test asserts
  const request: any = await (await post(place, token, "requests?max_submissions=100", { recipient })).json();
  const atRest = residentBytes(place.server.pid);
  const bytes = new Uint8Array(BODY_BYTES - 1).fill(97);
  const attackers = await Promise.all(Array.from({ length: CONNECTIONS }, () => connectRaw(place.server.url)));
  for (const attacker of attackers) {
    attacker.send(
      `POST /api/v1/requests/${request.id}/submissions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${request.submit_token}\r\nContent-Type: application/json\r\nContent-Length: ${BODY_BYTES}\r\n\r\n`,
    );
    attacker.send(bytes);
  }
  // The share of a link is one body of that size; the others are refused.
  const refused = Promise.withResolvers<void>();
  let refusals = 0;
  for (const attacker of attackers) {
    void attacker
      .until(/"code":"server_busy".*\}$/)
      .then(() => (++refusals === CONNECTIONS - 1 ? refused.resolve() : undefined));
  }
  await refused.promise;
  expect(residentBytes(place.server.pid) - atRest).toBeLessThan(256 * MIB);
  for (const size of [1000, 9 * MIB]) {
    const envelope = { version: 1, ciphertext: "a".repeat(size) };
    expect((await post(place, token, "secrets", { envelope })).status).toBe(201);
  }
  expect(residentBytes(place.server.pid) - atRest).toBeLessThan(256 * MIB);
  for (const attacker of attackers) attacker.end();
}, 60_000);

const CONTAINER_BYTES = 256 * MIB;
const SECRETS = 6;
const CLAIMS = 60;

test("with 256 MB a server survives sixty unread claims of 10 MiB, and no claim is lost", async () => {
  await using group = openMemoryGroup(CONTAINER_BYTES);
  // Without control groups, the server is given the limit that it would detect in one.
  const budget = bodyMemoryBytes({ bodyMemory: undefined, maxCiphertext: BODY_BYTES }, CONTAINER_BYTES);
  await using place = await openPlace(group ? [] : ["--body-memory", `${budget / MIB}MiB`], group?.via);
  const { server } = place;
  const tokens = await Promise.all(Array.from({ length: SECRETS }, () => place.mint()));
  const [token = ""] = tokens;
  const claims = CLAIMS / SECRETS;
  const ids: string[] = [];
  for (const each of tokens) {
    const envelope = { version: 1, ciphertext: "a".repeat(BODY_BYTES) };
    // oxlint-disable-next-line typescript/no-explicit-any -- what an answer is made of is what a test asserts
    const created: any = await (await post(place, each, `secrets?max_claims=${claims}`, { envelope })).json();
    ids.push(created.id);
  }
  const unread = await Promise.all(
    Array.from({ length: CLAIMS }, (_, index) =>
      claimUnread(place, tokens[index % SECRETS] ?? "", ids[index % SECRETS] ?? ""),
    ),
  );
  const count = (status: string) => unread.filter((each) => each.status === status).length;
  const given = count("200");
  expect(given).toBeGreaterThan(0);
  expect(count("503")).toBe(CLAIMS - given);
  const countClaims = async () => {
    const headers = { authorization: `Bearer ${token}` };
    // oxlint-disable-next-line typescript/no-explicit-any -- what an answer is made of is what a test asserts
    const states: any[] = await Promise.all(
      ids.map(async (id) => (await fetch(`${server.url}/api/v1/secrets/${id}`, { headers })).json()),
    );
    return states.reduce((sum: number, secret) => sum + secret.claims, 0);
  };
  expect(await countClaims()).toBe(given);
  // Small answers are sent meanwhile, even to callers who do not read.
  for (const each of tokens) {
    const small = await post(place, each, "secrets", { envelope: { version: 1, ciphertext: "a".repeat(1000) } });
    // oxlint-disable-next-line typescript/no-explicit-any -- what an answer is made of is what a test asserts
    const { id }: any = await small.json();
    expect((await post(place, each, `secrets/${id}/claim`)).status).toBe(200);
  }
  for (const { connection } of unread) connection.end();
  // The rest is still stored, and is handed out one after another.
  for (const id of ids) {
    let answer = await post(place, token, `secrets/${id}/claim`);
    for (; answer.status === 503; answer = await post(place, token, `secrets/${id}/claim`)) await Bun.sleep(20);
    expect(answer.status).toBe(200);
    expect((await answer.text()).length).toBeGreaterThan(BODY_BYTES);
  }
  expect(await countClaims()).toBe(given + SECRETS);
  expect(group?.peakBytes() ?? bytesOf("VmHWM", server.pid)).toBeLessThanOrEqual(CONTAINER_BYTES);
}, 120_000);

/** Sends a claim, and reads only the status of its answer. */
async function claimUnread({ server }: Place, token: string, id: string) {
  const connection = await connectRaw(server.url);
  connection.send(
    `POST /api/v1/secrets/${id}/claim HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Length: 0\r\n\r\n`,
  );
  const [, status] = /^HTTP\/1.1 (\d+)/.exec(await connection.until(/^HTTP\/1.1 \d+/)) ?? [];
  connection.pause();
  return { connection, status };
}
