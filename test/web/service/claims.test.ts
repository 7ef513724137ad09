import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { exampleId } from "../../../src/contract/ids.ts";
import { Secret } from "../../../src/contract/secrets.ts";
import { findAgeIdentity, isRepeatable, keepAgeIdentity } from "../../../src/web/browser/age-identities.ts";
import { claimSentAt, forgetAll, replayEndOf, takeFragment } from "../../../src/web/browser/fragments.ts";
import { claimLink, claimSubmission } from "../../../src/web/service/claims.ts";
import { createTestClient, errorOf, exampleOf, refuse } from "../../support/clients.ts";
import { openTab } from "../../support/tabs.ts";
import type { TestTab } from "../../support/tabs.ts";

const ID = exampleId("secret");
const REQUEST_ID = exampleId("request");
const NOW = Date.parse("2026-11-21T09:30:00Z");
const MINUTE = 60_000;
const envelope = { version: 1, ciphertext: "Q2lwaGVydGV4dA" } as const;
const at = (milliseconds: number) => new Date(milliseconds).toISOString();

let tab: TestTab;
beforeEach(() => {
  jest.useFakeTimers({ now: NOW });
  tab = openTab(`https://handoff.example/s/${ID}#1.key`);
  takeFragment(ID, () => true);
});
afterEach(() => {
  void forgetAll();
  tab[Symbol.dispose]();
  jest.useRealTimers();
});

/** A server that hands out the secret until this time. */
const clientOf = (replayUntil: string | null, secret: Partial<Secret> = {}) =>
  createTestClient({
    claimSecret: () => ({ secret: exampleOf(Secret, { id: ID, ...secret }), envelope, replay_until: replayUntil }),
  });

test("a claim is recorded as sent before its answer, and without one", async () => {
  const client = createTestClient({
    claimSecret() {
      expect(claimSentAt(ID)).toBe(NOW);
      return refuse("connection_lost", "network");
    },
  });
  expect(claimSentAt(ID)).toBeUndefined();
  expect(await errorOf(claimLink(client, ID, "key"))).toMatchObject({ code: "connection_lost" });
  expect(claimSentAt(ID)).toBe(NOW);
  expect(replayEndOf(ID)).toBeNull();
});

test("a claim carries the tokens of a proof and an approval where there are any", async () => {
  const client = clientOf(at(NOW + 5 * MINUTE));
  await claimLink(client, ID, "key", { proofToken: "hpt_token" });
  await claimLink(client, ID, "key", { approvalToken: "hat_token" });
  await claimLink(client, ID, "key");
  const sent = client.calls.map(({ proofToken, approvalToken }) => [proofToken, approvalToken]);
  expect(sent).toEqual([
    ["hpt_token", undefined],
    [undefined, "hat_token"],
    [undefined, undefined],
  ]);
});

test("the time to repeat a claim counts by the server's clock, which may differ", async () => {
  const serverNow = NOW - 60 * MINUTE;
  const client = clientOf(at(serverNow + 5 * MINUTE), { max_claims: 1, claims: 1, ended_at: at(serverNow) });
  expect(await claimLink(client, ID, "key")).toEqual({ envelope, left: 0 });
  expect(replayEndOf(ID)).toBe(NOW + 5 * MINUTE);
});

test("for a secret with claims left it counts by this machine's clock, up to the longest window", async () => {
  expect(
    await claimLink(clientOf(at(NOW + 5 * MINUTE), { max_claims: 3, claims: 1, ended_at: null }), ID, "key"),
  ).toEqual({
    envelope,
    left: 2,
  });
  expect(replayEndOf(ID)).toBe(NOW + 5 * MINUTE);
  tab.go(`https://handoff.example/s/${ID}#1.other`);
  takeFragment(ID, () => true);
  await claimLink(clientOf(at(NOW + 600 * MINUTE), { ended_at: null }), ID, "key");
  expect(replayEndOf(ID)).toBe(NOW + 60 * MINUTE);
});

test("a claim that cannot be repeated leaves nothing of the link", async () => {
  await claimLink(clientOf(null), ID, "key");
  jest.advanceTimersByTime(1);
  expect(replayEndOf(ID)).toBeNull();
  expect(takeFragment(ID, () => true)).toBeUndefined();
});

test("a submission is claimed under one key, which is stored before use", async () => {
  const options = { personId: "idn_ann", requestId: REQUEST_ID, secretId: ID, onProgress: () => undefined };
  await keepAgeIdentity("idn_ann", REQUEST_ID, { identity: "AGE-SECRET-KEY-1A", note: undefined, claims: {} });
  const claimOf = async () => (await findAgeIdentity("idn_ann", REQUEST_ID))?.claims[ID];
  const lost = createTestClient({ claimSecret: () => refuse("connection_lost", "network") });
  expect(await errorOf(claimSubmission(lost, options))).toBeDefined();
  const { idempotencyKey } = (await claimOf()) ?? {};
  expect(lost.calls).toMatchObject([{ id: ID, idempotencyKey }]);
  const client = clientOf(at(NOW + MINUTE), { ended_at: at(NOW) });
  expect(await claimSubmission(client, options)).toEqual({ envelope, until: NOW + MINUTE });
  expect(client.calls).toMatchObject([{ id: ID, idempotencyKey }]);
  expect(isRepeatable(await claimOf())).toBeTrue();
  jest.advanceTimersByTime(MINUTE);
  expect(isRepeatable(await claimOf())).toBeFalse();
  expect((await claimSubmission(clientOf(null), options)).until).toBeNull();
});
