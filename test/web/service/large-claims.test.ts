import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { exampleId } from "../../../src/contract/ids.ts";
import { Secret } from "../../../src/contract/secrets.ts";
import { forgetAll, replayEndOf, takeFragment } from "../../../src/web/browser/fragments.ts";
import { claimLargeLink } from "../../../src/web/service/large-claims.ts";
import { createTestClient, exampleOf } from "../../support/clients.ts";
import { openTab } from "../../support/tabs.ts";
import type { TestTab } from "../../support/tabs.ts";

const ID = exampleId("secret");
const NOW = Date.parse("2026-11-21T09:30:00Z");
const MINUTE = 60_000;
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

/** A server that hands out the ciphertext until this time. */
const clientOf = (until: number, secret: Partial<Secret> = {}) =>
  createTestClient({
    claimLargeSecret: () => ({
      secret: exampleOf(Secret, { id: ID, max_claims: 3, claims: 1, ...secret }),
      bytes: 1000,
      href: `https://handoff.example/api/v1/secrets/${ID}/ciphertext`,
      replay_until: at(until),
    }),
  });

test("a large secret is claimed with the tokens that it needs, and its window is that of the server's clock", async () => {
  const fast = NOW + 60 * MINUTE;
  const client = clientOf(fast + 20 * MINUTE, { ended_at: at(fast) });
  const claimed = await claimLargeLink(client, ID, "key", { proofToken: "hpt_t", approvalToken: "hat_t" });
  expect(claimed).toEqual({ envelope: { bytes: 1000, windowMs: 20 * MINUTE }, left: 2 });
  expect(replayEndOf(ID)).toBe(NOW + 20 * MINUTE);
  expect(client.calls).toMatchObject([{ idempotencyKey: "key", proofToken: "hpt_t", approvalToken: "hat_t" }]);
});

test("a repeated claim is worth the rest of its window, which has moved on since", async () => {
  await claimLargeLink(clientOf(NOW + 5 * MINUTE, { ended_at: at(NOW) }), ID, "key");
  jest.advanceTimersByTime(4 * MINUTE);
  const again = await claimLargeLink(clientOf(NOW + 8 * MINUTE, { ended_at: at(NOW) }), ID, "key");
  expect(again.envelope.windowMs).toBe(4 * MINUTE);
});

test("no window is longer than a day, whatever a server says", async () => {
  await claimLargeLink(clientOf(NOW + 100 * 24 * 60 * MINUTE, { ended_at: at(NOW) }), ID, "key");
  expect(replayEndOf(ID)).toBe(NOW + 24 * 60 * MINUTE);
});
