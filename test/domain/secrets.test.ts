import { expect, test } from "bun:test";
import { OPERATIONS } from "../../src/contract/operations.ts";
import { parseTokenKind } from "../../src/contract/tokens.ts";
import { authenticate, authorize } from "../../src/domain/callers.ts";
import type { Caller } from "../../src/domain/callers.ts";
import { createSecret, getSecret, listSecrets } from "../../src/domain/secrets.ts";
import { hashToken } from "../../src/domain/values/tokens.ts";
import { until } from "../support/polls.ts";
import { openTestSecrets, refusalOf } from "../support/secrets.ts";
import type { TestSecrets } from "../support/secrets.ts";

const callOf = (idempotencyKey?: string) => ({ idempotencyKey, path: "/api/v1/secrets" });
const envelope = (ciphertext: string) => ({ version: 1, ciphertext }) as const;

test("the claim token of a new secret opens that secret and no other", async () => {
  await using secrets = await openTestSecrets();
  const { service } = secrets.backend;
  const other = await secrets.create("other");
  const created = await createSecret(service, secrets.caller, {
    envelope: envelope("text"),
    query: {},
    call: callOf(),
  });
  const token = created.claimToken ?? "";
  expect(parseTokenKind(token)).toBe("claim");
  const caller = await authenticate(service, token, created.secret.id);
  expect(caller).toMatchObject({ kind: "claim", secret: { id: created.secret.id } });
  const operation = OPERATIONS.claimSecret;
  expect(() => authorize(caller, operation, created.secret.id)).not.toThrow();
  const foreign = (async () => authorize(await authenticate(service, token, other.id), operation, other.id))();
  expect(await refusalOf(foreign)).toBe("not_found");
});

test("with a claim_token_hash no token is returned, and the client's token opens the secret", async () => {
  await using secrets = await openTestSecrets();
  const { service } = secrets.backend;
  const made = await createSecret(service, secrets.caller, { envelope: envelope("a"), query: {}, call: callOf() });
  const own = made.claimToken ?? "";
  const hash = hashToken(own).toBase64({ alphabet: "base64url", omitPadding: true });
  const created = await createSecret(service, secrets.caller, {
    envelope: envelope("text"),
    query: { claim_token_hash: hash },
    call: callOf(),
  });
  expect(created.claimToken).toBeUndefined();
  // Of two secrets with the same token, the id decides.
  for (const { id } of [made.secret, created.secret]) {
    expect(await authenticate(service, own, id)).toMatchObject({ secret: { id } });
  }
});

test("a repeated creation returns the same token, for the same credential and key only", async () => {
  await using secrets = await openTestSecrets();
  const { service } = secrets.backend;
  const stranger = await authenticate(service, (await secrets.backend.mint()).token, undefined);
  const create = (caller: Caller, key?: string) =>
    createSecret(service, caller, { envelope: envelope("text"), query: {}, call: callOf(key) });
  const first = await create(secrets.caller, "key");
  expect(await create(secrets.caller, "key")).toEqual({ ...first, isReplay: true });
  const others = [await create(stranger, "key"), await create(secrets.caller, "other"), await create(secrets.caller)];
  expect(new Set([first, ...others].map(({ claimToken }) => claimToken)).size).toBe(4);
  expect(new Set([first, ...others].map(({ secret }) => secret.id)).size).toBe(4);
});

test("another body or other terms under the same key are a conflict", async () => {
  await using secrets = await openTestSecrets();
  await secrets.create("text", { expires_in: 600, max_claims: 2 }, "key");
  expect(await refusalOf(secrets.create("text", { max_claims: 2, expires_in: 600 }, "key"))).toBeUndefined();
  expect(await refusalOf(secrets.create("texts", { expires_in: 600, max_claims: 2 }, "key"))).toBe(
    "idempotency_conflict",
  );
  expect(await refusalOf(secrets.create("text", { expires_in: 601, max_claims: 2 }, "key"))).toBe(
    "idempotency_conflict",
  );
  expect(await refusalOf(secrets.create("text", {}, "key"))).toBe("idempotency_conflict");
});

test("values at a limit are accepted, and values above it refused", async () => {
  const policy = { maxCiphertextBytes: 2000, maxTtlSeconds: 600, defaultTtlSeconds: 600, maxClaims: 5 };
  await using secrets = await openTestSecrets(policy);
  const taken = await secrets.create("x".repeat(2000), { expires_in: 600, max_claims: 5 });
  expect(taken).toMatchObject({ ciphertextBytes: 2000, maxClaims: 5, expiresAt: taken.createdAt + 600_000 });
  expect(await refusalOf(secrets.create("x".repeat(2001)))).toBe("payload_too_large");
  expect(await refusalOf(secrets.create("x", { expires_in: 601 }))).toBe("schema_mismatch");
  expect(await refusalOf(secrets.create("x", { max_claims: 6 }))).toBe("schema_mismatch");
});

test("where encryption is required, other ciphertexts are refused", async () => {
  await using secrets = await openTestSecrets({ requireEncrypted: true });
  expect(await refusalOf(secrets.create("fake-local-test-only"))).toBe("ciphertext_unrecognized");
});

test("a team can fill its quota to the byte, and erased data stops counting", async () => {
  await using secrets = await openTestSecrets();
  const { policy } = secrets.backend.service;
  const create = (teamQuotaBytes: number, ttlSeconds = 3600) =>
    secrets.create("x".repeat(5000), { expires_in: ttlSeconds }, crypto.randomUUID(), { ...policy, teamQuotaBytes });
  const { id } = await create(Infinity);
  const storedBytes = async () => (await secrets.backend.storage.look()).storedBytes;
  const each = await storedBytes();
  expect(each).toBeGreaterThan(5000);
  expect(await refusalOf(create(2 * each - 1))).toBe("team_quota_exceeded");
  await create(2 * each, 60);
  expect(await storedBytes()).toBe(2 * each);
  expect(await refusalOf(create(2 * each))).toBe("team_quota_exceeded");
  await secrets.claim(id, "key");
  expect(await refusalOf(create(2 * each))).toBe("team_quota_exceeded");
  await secrets.acknowledge(id, "key");
  secrets.backend.clock.advance(60_000);
  await secrets.sweep();
  // Both have a tombstone and its indexes.
  expect(await storedBytes()).toBeLessThan(each);
  await create(2 * each);
});

test("teams have separate quotas", async () => {
  await using secrets = await openTestSecrets({ teamQuotaBytes: 16_000 });
  await secrets.create("x".repeat(9000));
  expect(await refusalOf(secrets.create("x".repeat(9000)))).toBe("team_quota_exceeded");
  const { token } = await secrets.backend.mint({ team: "neighbours" });
  const neighbour = await authenticate(secrets.backend.service, token, undefined);
  const input = { envelope: envelope("x".repeat(9000)), query: {}, call: callOf() };
  expect(await refusalOf(createSecret(secrets.backend.service, neighbour, input))).toBeUndefined();
});

test("no operation finds another team's secret", async () => {
  await using secrets = await openTestSecrets();
  const { id } = await secrets.create("text");
  const { token } = await secrets.backend.mint({ team: "neighbours" });
  const foreign: TestSecrets = { ...secrets, caller: await authenticate(secrets.backend.service, token, undefined) };
  const { service } = secrets.backend;
  const { signal } = new AbortController();
  expect(await refusalOf(getSecret(service, foreign.caller, { id, waitSeconds: 0, signal }))).toBe("not_found");
  expect((await listSecrets(service, foreign.caller, {})).items).toEqual([]);
  const { store } = service;
  expect(
    await store.claimSecret({ id, teamId: foreign.caller.teamId, actorId: null, call: undefined }),
  ).toBeUndefined();
  expect(await store.revokeSecret(foreign.caller.teamId, id, null)).toBeUndefined();
  expect(await secrets.find(id)).toMatchObject({ state: "available", claims: 0 });
});

test("revoking twice changes nothing, and a claimed secret stays claimed", async () => {
  await using secrets = await openTestSecrets();
  const { id } = await secrets.create("text");
  const revoked = await secrets.revoke(id);
  secrets.backend.clock.advance(1000);
  expect(await secrets.revoke(id)).toEqual(revoked);
  expect(await refusalOf(secrets.claim(id))).toBe("secret_revoked");
  const claimed = await secrets.create("text");
  await secrets.claim(claimed.id);
  expect(await refusalOf(secrets.revoke(claimed.id))).toBe("secret_claimed");
  expect(await secrets.find(claimed.id)).toMatchObject({ state: "claimed" });
});

test("lists are paged newest first, and filter by the current state", async () => {
  await using secrets = await openTestSecrets();
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.push((await secrets.create("text", { expires_in: n < 2 ? 60 : 600 })).id);
  await secrets.claim(ids[4] ?? "");
  secrets.backend.clock.advance(60_000);
  const { service } = secrets.backend;
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await listSecrets(service, secrets.caller, { limit: 2, ...(cursor === undefined ? {} : { cursor }) });
    pages.push(page.items.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(pages).toEqual([[ids[4], ids[3]], [ids[2], ids[1]], [ids[0]]].map((page) => page.map(String)));
  const inState = async (state: "available" | "claimed" | "expired" | "revoked") =>
    (await listSecrets(service, secrets.caller, { state })).items.map(({ id }) => ids.indexOf(id));
  expect(await Promise.all((["available", "claimed", "expired", "revoked"] as const).map(inState))).toEqual([
    [3, 2],
    [4],
    [1, 0],
    [],
  ]);
});

test("a waiting call is answered at once on a claim, a revocation and the expiry", async () => {
  await using secrets = await openTestSecrets();
  const { service } = secrets.backend;
  const wait = (id: string, waitSeconds = 20) =>
    getSecret(service, secrets.caller, { id, waitSeconds, signal: new AbortController().signal });
  const [claimed, revoked] = await Promise.all([secrets.create("one"), secrets.create("two")]);
  const waits = Promise.all([wait(claimed.id), wait(revoked.id)]);
  await until(() => service.waits.waiting() >= 2);
  await Promise.all([secrets.claim(claimed.id), secrets.revoke(revoked.id)]);
  expect((await waits).map(({ state }) => state)).toEqual(["claimed", "revoked"]);
  const short = await secrets.create("three", { expires_in: 60 });
  secrets.backend.clock.advance(59_900);
  const expiry = wait(short.id);
  secrets.backend.clock.advance(100);
  expect(await expiry).toMatchObject({ state: "expired" });
});

test("an Idempotency-Key is 1 to 255 visible ASCII characters, and an acknowledgement needs one", async () => {
  const { parseIdempotencyKey } = await import("../../src/domain/idempotency.ts");
  expect([null, "k", "!~", "k".repeat(255)].map(parseIdempotencyKey)).toEqual([undefined, "k", "!~", "k".repeat(255)]);
  for (const bad of ["", " ", "a b", "k".repeat(256), "é", "a\n"]) {
    expect(await refusalOf((async () => parseIdempotencyKey(bad))())).toBe("invalid_header");
  }
  await using secrets = await openTestSecrets();
  const { id } = await secrets.create("text");
  await secrets.claim(id);
  expect(await refusalOf(secrets.acknowledge(id, "never-used"))).toBe("not_found");
});
