import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Handover } from "../../../src/cli/handovers/claims.ts";
import { handoverOfLink, inspect, openSecret } from "../../../src/cli/handovers/handovers.ts";
import { hasPendingClaim } from "../../../src/cli/state/pending-claims.ts";
import { exampleId } from "../../../src/contract/ids.ts";
import { Secret } from "../../../src/contract/secrets.ts";
import { createAgeIdentity } from "../../../src/crypto/age-identities.ts";
import { encodeContent } from "../../../src/crypto/contents.ts";
import { LINK_WORK_FACTOR, sealToRecipient, sealWithPassphrase } from "../../../src/crypto/envelopes.ts";
import { createSeed } from "../../../src/crypto/links.ts";
import { deriveSecretLinkKeys, formatSecretLink, secretPassphrase } from "../../../src/crypto/secret-links.ts";
import { createTestClient, errorOf, exampleOf, refuse } from "../../support/clients.ts";
import type { TestAnswers } from "../../support/clients.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { createTestTerminal } from "../../support/terminals.ts";

const ID = exampleId("secret");
const BASE_URL = "https://handoff.example";
const TEXT = { kind: "text", text: "the password" } as const;
const soon = () => new Date(Date.now() + 300_000).toISOString();
const secretOf = (changes: Partial<Secret> = {}) => exampleOf(Secret, { id: ID, state: "claimed", ...changes });

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => void (folder = temporaryFolder()));
afterEach(() => folder[Symbol.dispose]());

const terminalWith = (answers: readonly string[] = []) =>
  createTestTerminal({ env: { XDG_STATE_HOME: folder.path }, answers, isTerminal: { err: answers.length > 0 } });

/** A sealed text behind a link, and what takes it from a server with these answers. */
async function handoverOf(answers: (envelope: object) => TestAnswers, passphrase?: string) {
  const { agePassphrase } = await deriveSecretLinkKeys(createSeed());
  const whole = secretPassphrase(agePassphrase, passphrase);
  // A passphrase of a person gets a factor that takes a second to try.
  const envelope = await sealWithPassphrase(await encodeContent(TEXT), whole, LINK_WORK_FACTOR);
  const client = createTestClient({ acknowledgeClaim: () => undefined, ...answers(envelope) });
  const handover: Handover = {
    client,
    id: ID,
    key: { kind: "link", agePassphrase, passphrase: undefined },
    passphrase: passphrase === undefined ? undefined : {},
    isSubmission: false,
    nameStyle: "safe",
  };
  return { client, handover };
}

const givesOut =
  (replayUntil: () => string | null = soon) =>
  (envelope: object): TestAnswers => ({
    claimSecret: () => ({ secret: secretOf({ state: "claimed" }), envelope, replay_until: replayUntil() }),
  });

test("a secret is claimed under a key that is on disk, and acknowledged under it once it is delivered", async () => {
  const terminal = terminalWith();
  let wasKept: boolean | undefined;
  const { client, handover } = await handoverOf((envelope) => ({
    claimSecret() {
      wasKept = hasPendingClaim(terminal, BASE_URL, ID);
      return { secret: secretOf(), envelope, replay_until: soon() };
    },
  }));
  const opened = await openSecret(terminal, handover);
  expect(wasKept).toBeTrue();
  expect(opened).toMatchObject({ content: TEXT, repeat: { kind: "until" } });
  expect(client.called()).toEqual(["claimSecret"]);
  expect(hasPendingClaim(terminal, BASE_URL, ID)).toBeTrue();
  await opened.acknowledge();
  expect(hasPendingClaim(terminal, BASE_URL, ID)).toBeFalse();
  const [claim, acknowledgement] = client.calls;
  expect(claim?.idempotencyKey).toBeString();
  expect(acknowledgement).toMatchObject({
    operation: "acknowledgeClaim",
    id: ID,
    idempotencyKey: claim?.idempotencyKey,
  });
});

test("a failed decryption can be tried again in the caller's own way", async () => {
  const { handover } = await handoverOf(givesOut());
  const wrong = { ...handover, key: { kind: "link", agePassphrase: "wrong", passphrase: undefined } as const };
  const messageOf = async (changes: object) => {
    const error = await errorOf(openSecret(terminalWith(), { ...wrong, ...changes }));
    return (error as Error | undefined)?.message;
  };
  expect(await messageOf({})).toContain(" Run the same command before ");
  expect(await messageOf({ again: "Call this tool again" })).toContain(" Call this tool again before ");
});

test("a claim that came to no end is repeated under the same key", async () => {
  const terminal = terminalWith();
  const { client, handover } = await handoverOf(givesOut());
  await openSecret(terminal, handover);
  expect(await inspect(terminal, handover)).toBeUndefined();
  await openSecret(terminal, handover);
  expect(client.called()).toEqual(["claimSecret", "claimSecret"]);
  expect(new Set(client.calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
});

test("what the server does not give out again is kept here, encrypted, and opened from there", async () => {
  for (const replayUntil of [() => null, () => new Date(Date.now() - 1000).toISOString()]) {
    const terminal = terminalWith();
    const { client, handover } = await handoverOf(givesOut(replayUntil));
    expect((await openSecret(terminal, handover)).repeat).toEqual({ kind: "kept", claimsLeft: 0 });
    const again = await openSecret(terminal, handover);
    expect(again).toMatchObject({ content: TEXT, repeat: { kind: "kept" } });
    expect(client.called()).toEqual(["claimSecret", "getSecret"]);
    await again.acknowledge();
  }
});

test("where nothing can be kept, that is said before the claim, and it cannot be repeated", async () => {
  for (const [secret, claimsLeft] of [
    [secretOf({ state: "claimed" }), 0],
    [secretOf({ state: "available", max_claims: 3, claims: 1 }), 2],
  ] as const) {
    const terminal = createTestTerminal({ env: { XDG_STATE_HOME: "/dev/null" } });
    const { handover } = await handoverOf((envelope) => ({
      claimSecret() {
        expect(terminal.said).toEqual([expect.stringContaining("If this fails, it can't be repeated")]);
        return { secret, envelope, replay_until: soon() };
      },
    }));
    expect((await openSecret(terminal, handover)).repeat).toEqual({ kind: "never", claimsLeft });
  }
});

const ENDS: readonly (readonly [Partial<Secret>, string])[] = [
  [{ state: "claimed" }, "This secret was opened"],
  [{ state: "expired", claims: 0 }, "and was never opened. Ask the sender for a new link."],
  [{ state: "revoked" }, "This secret was revoked"],
];

test("what became of a secret that cannot be claimed any more is said, before a claim and after it", async () => {
  for (const [changes, says] of ENDS) {
    const terminal = terminalWith();
    const { client, handover } = await handoverOf(() => ({
      getSecret: () => secretOf({ ended_at: "2026-11-21T09:30:00.000Z", ...changes }),
      claimSecret: () => refuse("secret_claimed", "gone"),
    }));
    const expected = { kind: "gone", message: expect.stringContaining(says) };
    expect(await errorOf(inspect(terminal, handover))).toMatchObject(expected);
    expect(client.called()).toEqual(["getSecret"]);
    expect(await errorOf(openSecret(terminal, handover))).toMatchObject(expected);
    // There is nothing to resume.
    expect(hasPendingClaim(terminal, BASE_URL, ID)).toBeFalse();
  }
});

test("a claim that was begun here and can be repeated no more is told from one of somebody else", async () => {
  const terminal = terminalWith();
  const first = await handoverOf(() => ({ claimSecret: () => refuse("connection_lost", "network") }));
  expect(await errorOf(openSecret(terminal, first.handover))).toMatchObject({ kind: "network" });
  // It may have been made.
  expect(hasPendingClaim(terminal, BASE_URL, ID)).toBeTrue();
  const second = await handoverOf(() => ({
    claimSecret: () => refuse("secret_claimed", "gone"),
    getSecret: () => secretOf(),
  }));
  expect(await errorOf(openSecret(terminal, second.handover))).toMatchObject({
    kind: "gone",
    message: expect.stringContaining("A command on this machine claimed this secret and didn't finish"),
  });
});

test("when the claim that was begun here is over, another one of several is made", async () => {
  const terminal = terminalWith();
  const { handover: begun } = await handoverOf(() => ({ claimSecret: () => refuse("connection_lost", "network") }));
  await errorOf(openSecret(terminal, begun));
  let isOver = true;
  const { client, handover } = await handoverOf((envelope) => ({
    claimSecret() {
      if (isOver) refuse("secret_claimed", "gone");
      return { secret: secretOf(), envelope, replay_until: soon() };
    },
    getSecret() {
      isOver = false;
      return secretOf({ state: "available" });
    },
  }));
  expect((await openSecret(terminal, handover)).content).toEqual(TEXT);
  const [first, , second] = client.calls;
  expect(client.called()).toEqual(["claimSecret", "getSecret", "claimSecret"]);
  expect(first?.idempotencyKey).not.toBe(second?.idempotencyKey);
});

test("a server that refuses the credential has claimed nothing, and nothing is kept of it", async () => {
  const terminal = terminalWith();
  const { handover } = await handoverOf(() => ({ claimSecret: () => refuse("credential_invalid", "credential") }));
  expect(await errorOf(openSecret(terminal, handover))).toMatchObject({ kind: "credential" });
  expect(hasPendingClaim(terminal, BASE_URL, ID)).toBeFalse();
});

test("a passphrase is asked for before the claim, hidden, and again when it does not open", async () => {
  const terminal = terminalWith(["wrong", "right"]);
  const { client, handover } = await handoverOf(givesOut(), "right");
  expect((await openSecret(terminal, handover)).content).toEqual(TEXT);
  expect(terminal.asked).toEqual(Array(2).fill("Passphrase (not shown): [hidden]"));
  expect(terminal.said).toEqual([
    expect.stringContaining("You can try 5 times. The same command can be run again for 5 minutes after the first try"),
    "That passphrase doesn't work. Check it and try again.",
  ]);
  expect(client.called()).toEqual(["claimSecret"]);
  const alone = terminalWith();
  const other = await handoverOf(givesOut(), "right");
  expect(await errorOf(openSecret(alone, other.handover))).toMatchObject({ kind: "usage" });
  expect(other.client.calls).toEqual([]);
});

test("what was handed in and cannot be opened is set aside, so that it is not in the way of others", async () => {
  const { ageIdentity } = await createAgeIdentity("x25519");
  const { recipient } = await createAgeIdentity("x25519");
  const bytes = await encodeContent(TEXT);
  const envelope = await sealToRecipient(bytes, recipient);
  const terminal = terminalWith();
  const { client, handover } = await handoverOf(() => ({
    claimSecret: () => ({ secret: secretOf(), envelope, replay_until: soon() }),
  }));
  const submission: Handover = {
    ...handover,
    key: { kind: "ageIdentities", ageIdentities: [ageIdentity] },
    isSubmission: true,
  };
  expect(await errorOf(openSecret(terminal, submission))).toMatchObject({
    kind: "decryption",
    message: expect.stringContaining(`Can't open what was handed in as ${ID}. It was not encrypted for this request`),
  });
  expect(hasPendingClaim(terminal, BASE_URL, ID)).toBeFalse();
  expect(client.called()).toEqual(["claimSecret"]);
});

test("a delivery succeeds even if it can't be acknowledged", async () => {
  const { handover } = await handoverOf((envelope) => ({
    ...givesOut()(envelope),
    acknowledgeClaim: () => refuse("connection_lost", "network"),
  }));
  const opened = await openSecret(terminalWith(), handover);
  expect(await errorOf(opened.acknowledge())).toBeUndefined();
});

test("a link says where the server is, what is claimed there, and whether a passphrase is needed", async () => {
  const seed = new Uint8Array(16).fill(7);
  const link = formatSecretLink({ baseUrl: BASE_URL, id: ID, seed, needsPassphrase: true });
  const { signal } = new AbortController();
  const handover = await handoverOfLink(terminalWith(), { passphraseFile: "file", exactNames: true }, link, signal);
  const { agePassphrase } = await deriveSecretLinkKeys(seed);
  expect(handover).toMatchObject({
    id: ID,
    key: { kind: "link", agePassphrase, passphrase: undefined },
    passphrase: { passphraseFile: "file" },
    isSubmission: false,
    nameStyle: "exact",
  });
  expect(handover.client.baseUrl).toBe(BASE_URL);
  const plain = link.replace("https:", "http:");
  expect(await errorOf(handoverOfLink(terminalWith(), {}, plain, signal))).toMatchObject({ code: "insecure_url" });
});
