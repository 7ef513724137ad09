import { expect, test } from "bun:test";
import { parseTrustedProxies } from "../../src/http/gate/addresses.ts";
import { startTestServer } from "../support/server.ts";

const BODY = { envelope: { version: 1, ciphertext: "fake-local-test-only" } };
const RECIPIENT = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";
const from = (address: string) => ({ "x-forwarded-for": address });

/** Does what has events, each from another address, and returns the events' types and networks. */
async function networksOf(logAddresses: boolean) {
  await using server = await startTestServer({
    http: { logAddresses, trustedProxies: parseTrustedProxies(["127.0.0.1"]) },
  });
  const { backend, call } = server;
  const { token } = await backend.mint();
  const api = (method: string, path: string, address: string, body?: unknown, as = token) =>
    call(method, `/api/v1${path}`, { token: as, body, headers: from(address) });
  const { json: secret } = await api("POST", "/secrets?max_claims=2", "203.0.113.1", BODY);
  await api("PATCH", `/secrets/${secret.id}`, "203.0.113.2", { max_claims: 3 });
  await api("POST", `/secrets/${secret.id}/claim`, "2001:db8::3", undefined, secret.claim_token);
  await api("DELETE", `/secrets/${secret.id}`, "203.0.113.4");
  const { json: request } = await api("POST", "/requests", "203.0.113.5", { recipient: RECIPIENT });
  await api("PATCH", `/requests/${request.id}`, "203.0.113.6", { state: "paused" });
  await api("PATCH", `/requests/${request.id}`, "203.0.113.7", { state: "open" });
  await api("POST", `/requests/${request.id}/submissions`, "203.0.113.8", BODY, request.submit_token);
  const { json: asked } = await api("POST", "/secrets?approval=sender", "203.0.113.9", BODY);
  const { json: ask } = await api("POST", `/secrets/${asked.id}/asks`, "203.0.113.10", undefined, asked.claim_token);
  await api("PATCH", `/secrets/${asked.id}/asks`, "203.0.113.11", { id: ask.id, state: "refused" });
  const { json: other } = await api("POST", "/requests", "203.0.113.12", { recipient: RECIPIENT });
  await api("DELETE", `/requests/${other.id}`, "203.0.113.13");
  const { json } = await api("GET", "/events?limit=100", "203.0.113.14");
  // They are for the audit alone.
  for (const event of json.data) expect(Object.keys(event)).not.toContain("network");
  const rows = await backend.storage.run<{ type: string; network: string | null }>(
    "SELECT type, network FROM events ORDER BY created_at, id",
  );
  return rows.map(({ type, network }) => [type, network]);
}

test("where addresses are logged, an event has the address of the client that caused it", async () => {
  expect(await networksOf(true)).toEqual([
    ["secret.created", "203.0.113.1"],
    ["secret.changed", "203.0.113.2"],
    ["secret.claimed", "2001:db8::3"],
    ["secret.revoked", "203.0.113.4"],
    ["request.created", "203.0.113.5"],
    ["request.paused", "203.0.113.6"],
    ["request.opened", "203.0.113.7"],
    ["secret.created", "203.0.113.8"],
    ["request.fulfilled", "203.0.113.8"],
    ["secret.created", "203.0.113.9"],
    ["secret.approval_asked", "203.0.113.10"],
    ["secret.refused", "203.0.113.11"],
    ["request.created", "203.0.113.12"],
    ["request.revoked", "203.0.113.13"],
  ]);
});

test("otherwise no event has an address", async () => {
  const networks = await networksOf(false);
  expect(networks).toHaveLength(14);
  expect(networks.filter(([, network]) => network !== null)).toEqual([]);
});
