import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { createAgeIdentity } from "../../src/crypto/age-identities.ts";
import { openPlace } from "../support/people.ts";
import type { Place } from "../support/people.ts";
import { connectRaw } from "../support/raw-connections.ts";

const MIB = 1024 * 1024;
const CONNECTIONS = 100;
const BODY_BYTES = 10 * MIB;

const residentBytes = (pid: number) =>
  Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;

async function post(place: Place, token: string, path: string, body: unknown): Promise<Response> {
  return fetch(`${place.server.url}/api/v1/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

test("who holds one link cannot use the memory up with bodies that never end", async () => {
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
  // One body of that size is the share of a link; the others are told so.
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
