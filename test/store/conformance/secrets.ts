import { expect, test } from "bun:test";
import { LARGE_CIPHERTEXT_BYTES, textOf } from "../../../src/contract/ciphertexts.ts";
import {
  addRequest,
  addSecret,
  addTeam,
  callOf,
  claim,
  DAY,
  hashOf,
  MINUTE,
  newSecret,
  REPLAY_MS,
  submit,
  sweepAll,
  toldOf,
  TOMBSTONE_MS,
} from "../../support/stores.ts";
import type { OpenStore } from "../../support/stores.ts";

export function describeSecrets(open: OpenStore): void {
  describeCreations(open);
  describeClaims(open);
  describeEnds(open);
}

function describeCreations(open: OpenStore): void {
  test("a secret is found and listed as it was created, after a restart too, and only by its own team", async () => {
    await using place = await open();
    const [teamId, others] = [await addTeam(place), await addTeam(place, "others")];
    const secret = newSecret(place, teamId, { createdBy: "idn_1", reference: "OPS-4711" });
    expect(await place.store.createSecret(secret)).toEqual({ kind: "created", secret: secret.record });
    const { id } = secret.record;
    const page = { createdBy: undefined, state: undefined, limit: 5, before: undefined };
    for (let round = 0; round < 2; round++) {
      expect(await place.store.findSecret(teamId, id)).toEqual(secret.record);
      expect((await place.store.listSecrets({ ...page, teamId })).items).toEqual([secret.record]);
      expect(await place.store.findSecret(others, id)).toBeUndefined();
      expect((await place.store.listSecrets({ ...page, teamId: others })).items).toEqual([]);
      expect(await claim(place, { id, teamId: others })).toBeUndefined();
      expect(await place.store.revokeSecret(others, id, null)).toBeUndefined();
      await place.reopen();
    }
  });

  test("a repeated creation stores nothing and gets the first answer; a different one is a conflict", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const create = (content: string) =>
      place.store.createSecret(newSecret(place, teamId, { call: callOf("key", content) }));
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => create("one")));
    const made = outcomes.filter(({ kind }) => kind === "created");
    expect(made).toHaveLength(1);
    const [first] = made;
    if (!first || !("secret" in first)) throw new Error("nothing was made");
    await claim(place, first.secret);
    const replayed = { kind: "replayed", secret: first.secret } as const;
    expect(await create("one")).toEqual(replayed);
    expect(await place.store.replayCreation(teamId, callOf("key", "one"))).toEqual(replayed);
    expect(await create("two")).toEqual({ kind: "conflict" });
    expect(await place.store.replayCreation(teamId, callOf("other", "one"))).toBeUndefined();
    place.time.advance(DAY);
    expect(await place.store.replayCreation(teamId, callOf("key", "one"))).toBeUndefined();
    expect(await create("two")).toMatchObject({ kind: "created" });
  });

  test("a team uses no more than its quota, and erased secrets no longer count", async () => {
    await using place = await open();
    const [teamId, others] = [await addTeam(place), await addTeam(place, "others")];
    const first = await addSecret(place, teamId, { ciphertext: "x".repeat(50_000) });
    const quotaBytes = (await place.store.findTeamUsage(teamId)).storedBytes + 10_000;
    const create = (team: string) =>
      place.store.createSecret(newSecret(place, team, { ciphertext: "x".repeat(50_000), quotaBytes }));
    expect(await create(teamId)).toEqual({ kind: "quota_exceeded" });
    expect(await create(others)).toMatchObject({ kind: "created" });
    await claim(place, first);
    expect(await create(teamId)).toMatchObject({ kind: "created" });
  });

  test("lists are paged, newest first, and can be filtered by state and creator", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const lifetimes = [1, 1, 60, 60, 60];
    const made = [];
    for (const [n, minutes] of lifetimes.entries()) {
      const expiresAt = place.clock.now() + minutes * MINUTE;
      made.push(await addSecret(place, teamId, { expiresAt, createdBy: n % 2 === 0 ? "idn_even" : "idn_odd" }));
    }
    const ids = made.map(({ id }) => id);
    await place.store.revokeSecret(teamId, ids[4] ?? "", null);
    place.time.advance(MINUTE);
    const list = async (change: object) => {
      const input = { teamId, state: undefined, createdBy: undefined, limit: 10, before: undefined, ...change };
      return (await place.store.listSecrets(input)).items.map(({ id }) => ids.indexOf(id));
    };
    expect(await list({})).toEqual([4, 3, 2, 1, 0]);
    expect(await list({ limit: 2, before: ids[3] })).toEqual([2, 1]);
    expect(await list({ state: "available" })).toEqual([3, 2]);
    expect(await list({ state: "expired" })).toEqual([1, 0]);
    expect(await list({ state: "revoked" })).toEqual([4]);
    expect(await list({ state: "claimed" })).toEqual([]);
    expect(await list({ createdBy: "idn_odd" })).toEqual([3, 1]);
    expect(await list({ createdBy: "idn_odd", state: "available" })).toEqual([3]);
    expect(await list({ createdBy: "idn_odd", state: "expired" })).toEqual([1]);
    expect(await list({ createdBy: "idn_even", state: "revoked", before: ids[4] })).toEqual([]);
  });

  test("a list by ticket matches the exact text, and can be combined with state and creator", async () => {
    await using place = await open();
    const [teamId, others] = [await addTeam(place), await addTeam(place, "others")];
    const made: string[] = [];
    for (const [n, reference] of ["OPS-1", "ops-1", null, "OPS-1", "OPS-11", "OPS-1"].entries()) {
      made.push((await addSecret(place, teamId, { reference, createdBy: n < 4 ? "idn_1" : "idn_2" })).id);
    }
    await addSecret(place, others, { reference: "OPS-1", createdBy: "idn_1" });
    await place.store.revokeSecret(teamId, made[0] ?? "", null);
    const list = async (change: object) => {
      const input = { teamId, state: undefined, createdBy: undefined, limit: 10, before: undefined, ...change };
      return (await place.store.listSecrets(input)).items.map(({ id }) => made.indexOf(id));
    };
    expect(await list({ reference: "OPS-1" })).toEqual([5, 3, 0]);
    expect(await list({ reference: "OPS-1", limit: 2 })).toEqual([5, 3]);
    expect(await list({ reference: "OPS-1", before: made[5] })).toEqual([3, 0]);
    expect(await list({ reference: "ops-1" })).toEqual([1]);
    expect(await list({ reference: "OPS-_" })).toEqual([]);
    expect(await list({ reference: "OPS-1", state: "revoked" })).toEqual([0]);
    expect(await list({ reference: "OPS-1", state: "available" })).toEqual([5, 3]);
    expect(await list({ reference: "OPS-1", createdBy: "idn_1" })).toEqual([3, 0]);
    expect(await list({ reference: "OPS-1", createdBy: "idn_1", state: "available" })).toEqual([3]);
    place.time.advance(DAY);
    expect(await list({ reference: "OPS-1", state: "expired" })).toEqual([5, 3]);
    expect(await list({ reference: "OPS-1", state: "available" })).toEqual([]);
  });

  test("the pages of a list have every secret once, even if a page reads many rows and finds few", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const [createdBy, reference] = ["idn_one", "OPS-4711"];
    const add = () => addSecret(place, teamId, { createdBy, reference });
    const older = [await add(), await add()];
    await Promise.all(Array.from({ length: 2500 }, add));
    const newest = await add();
    const wanted = [newest, ...older.toReversed()].map(({ id }) => id);
    for (const id of wanted) await place.store.revokeSecret(teamId, id, null);
    for (const change of [{ createdBy }, { createdBy: undefined }, { reference }, { createdBy, reference }]) {
      const found: string[] = [];
      let before: string | undefined;
      do {
        const input = { createdBy: undefined, teamId, state: "revoked" as const, limit: 2, before, ...change };
        const { items, nextCursor } = await place.store.listSecrets(input);
        expect(items.length).toBeLessThanOrEqual(2);
        found.push(...items.map(({ id }) => id));
        before = nextCursor ?? undefined;
      } while (before !== undefined);
      expect(found).toEqual(wanted);
    }
  });

  test("a claim token finds the named one of several secrets with the same token, or else the newest", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const claimTokenHash = hashOf("token");
    const [older, newer] = [
      await addSecret(place, teamId, { claimTokenHash }),
      await addSecret(place, teamId, { claimTokenHash }),
    ];
    const find = async (id?: string) => (await place.store.findSecretByClaimToken(claimTokenHash, id))?.id;
    expect([await find(), await find(older.id), await find(newer.id)]).toEqual([newer.id, older.id, newer.id]);
    expect(await place.store.findSecretByClaimToken(hashOf("another"), older.id)).toBeUndefined();
  });
}

function describeClaims(open: OpenStore): void {
  test("a ciphertext is handed out as it was stored, as text or bytes, and again for a repeated claim", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    for (const length of [1, 65_535, 65_536, 200_001]) {
      const text = "Ab_-".repeat(length).slice(0, length);
      for (const ciphertext of [text, new TextEncoder().encode(text)]) {
        const secret = newSecret(place, teamId, { ciphertext });
        await place.store.createSecret(secret);
        for (const kind of ["claimed", "replayed"]) {
          const outcome = await claim(place, secret.record, `${secret.record.id}-key`);
          expect(outcome?.kind).toBe(kind as "claimed");
          expect(outcome && "ciphertext" in outcome && textOf(outcome.ciphertext) === text).toBe(true);
        }
      }
    }
  });

  test("as many concurrent claims as are allowed succeed, and the others see the secret as claimed", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    for (const maxClaims of [1, 3]) {
      const secret = newSecret(place, teamId, { maxClaims });
      await place.store.createSecret(secret);
      const outcomes = await Promise.all(Array.from({ length: 600 }, () => claim(place, secret.record)));
      const won = outcomes.flatMap((outcome) => (outcome?.kind === "claimed" ? [outcome] : []));
      expect(won.map((outcome) => outcome.ciphertext)).toEqual(Array(maxClaims).fill(secret.ciphertext));
      expect(won.map((outcome) => outcome.secret.claims)).toEqual(Array.from({ length: maxClaims }, (_, n) => n + 1));
      const lost = outcomes.filter((outcome) => outcome?.kind !== "claimed");
      expect(lost).toEqual(lost.map(() => ({ kind: "ended", state: "claimed" })));
      expect(won).toHaveLength(maxClaims);
      expect(await place.store.findSecret(teamId, secret.record.id)).toMatchObject({
        state: "claimed",
        claims: maxClaims,
      });
    }
  });

  test("a repeated claim counts once and gets the first answer, until its replay window ends", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const secret = await addSecret(place, teamId);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => claim(place, secret, "key")));
    expect(outcomes.filter((outcome) => outcome?.kind === "claimed")).toHaveLength(1);
    expect(new Set(outcomes.map((outcome) => JSON.stringify({ ...outcome, kind: "" }))).size).toBe(1);
    expect(await claim(place, secret, "another")).toEqual({ kind: "ended", state: "claimed" });
    // The sweeper seals the log. After a restart, the time is later than that of its commit.
    place.time.advance(REPLAY_MS - 2);
    await sweepAll(place);
    await place.reopen();
    expect(await claim(place, secret, "key")).toMatchObject({ kind: "replayed", secret: { claims: 1 } });
    place.time.advance(3);
    expect(await claim(place, secret, "key")).toEqual({ kind: "replay_over" });
  });

  test("an acknowledgement ends the replay window of its claim once, and of no other", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const secret = await addSecret(place, teamId, { maxClaims: 2 });
    await claim(place, secret, "one");
    await claim(place, secret, "two");
    const acknowledge = (key: string) => place.store.acknowledgeClaim(secret.id, callOf(key).digest);
    expect(await acknowledge("one")).toBe("acknowledged");
    expect(await acknowledge("one")).toBe("repeated");
    expect(await acknowledge("three")).toBeUndefined();
    expect(
      await place.store.acknowledgeClaim((await addSecret(place, teamId)).id, callOf("two").digest),
    ).toBeUndefined();
    expect(await claim(place, secret, "one")).toEqual({ kind: "replay_over" });
    expect(await claim(place, secret, "two")).toMatchObject({ kind: "replayed", secret: { claims: 2 } });
  });

  test("a claim whose caller is gone before it begins hands nothing out and counts nothing", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const { id } = await addSecret(place, teamId);
    const call = { ...callOf("key"), replayUntil: place.clock.now() + REPLAY_MS };
    const input = { id, teamId, actorId: null, call, signal: AbortSignal.abort() };
    expect(await place.store.claimSecret(input)).toEqual({ kind: "abandoned" });
    expect(await place.store.findSecret(teamId, id)).toMatchObject({ state: "available", claims: 0 });
    expect(await place.store.acknowledgeClaim(id, call.digest)).toBeUndefined();
  });

  test("a claim for small ciphertexts only gets the size of a large one, and counts nothing", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const [largest, least] = [LARGE_CIPHERTEXT_BYTES - 1, LARGE_CIPHERTEXT_BYTES];
    const small = await addSecret(place, teamId, { ciphertext: "s".repeat(largest) });
    const large = await addSecret(place, teamId, { ciphertext: "l".repeat(least), maxClaims: 2 });
    const call = { ...callOf("key"), replayUntil: place.clock.now() + REPLAY_MS };
    const take = async (id: string, smallOnly: boolean) => {
      const outcome = await place.store.claimSecret({ id, teamId, actorId: null, call: undefined, smallOnly });
      return outcome && "secret" in outcome ? textOf(outcome.ciphertext).length : outcome;
    };
    const tooLarge = { kind: "too_large", ciphertextBytes: least } as const;
    // Both claims are in one batch.
    expect(await Promise.all([take(large.id, true), take(small.id, true)])).toEqual([tooLarge, largest]);
    expect(await place.store.findSecret(teamId, large.id)).toMatchObject({ state: "available", claims: 0 });
    expect(await Promise.all([take(large.id, true), take(large.id, false)])).toEqual([tooLarge, least]);
    const keyed = { id: large.id, teamId, actorId: null, call };
    expect(await place.store.claimSecret(keyed)).toMatchObject({ kind: "claimed", secret: { claims: 2 } });
    expect(await place.store.claimSecret({ ...keyed, smallOnly: true })).toEqual(tooLarge);
    expect(await place.store.claimSecret(keyed)).toMatchObject({ kind: "replayed" });
    // An ended secret has no size.
    expect(await take(large.id, true)).toEqual({ kind: "ended", state: "claimed" });
  });
}

function describeEnds(open: OpenStore): void {
  test("a revocation ends an available secret and its replay windows, and leaves an ended one as it is", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const secret = await addSecret(place, teamId, { maxClaims: 2 });
    await claim(place, secret, "key");
    const revoked = await place.store.revokeSecret(teamId, secret.id, "idn_1");
    expect(revoked).toEqual({ ...secret, claims: 1, state: "revoked", endedAt: place.clock.now() });
    expect(await claim(place, secret, "key")).toEqual({ kind: "ended", state: "revoked" });
    place.time.advance(MINUTE);
    expect(await place.store.revokeSecret(teamId, secret.id, "idn_2")).toEqual(revoked);
    expect(await toldOf(place, teamId)).toEqual(
      ["created", "claimed", "revoked"].map((what) => `secret.${what} ${secret.id}`),
    );
  });

  test("a longer life and more claims count from then on, in lists and for the sweeper, after a restart too", async () => {
    await using place = await open();
    const [teamId, others] = [await addTeam(place), await addTeam(place, "others")];
    const secret = await addSecret(place, teamId, { expiresAt: place.clock.now() + MINUTE });
    const by = { actorId: "idn_1", quotaBytes: Infinity, expiresAt: undefined, maxClaims: undefined };
    const longer = { ...by, expiresAt: secret.expiresAt + DAY, maxClaims: 2 };
    expect(await place.store.setSecretTerms(others, secret.id, longer)).toBeUndefined();
    const changed = { ...secret, expiresAt: longer.expiresAt, maxClaims: 2 };
    expect(await place.store.setSecretTerms(teamId, secret.id, longer)).toEqual(changed);
    // The same terms again are no change.
    expect(await place.store.setSecretTerms(teamId, secret.id, longer)).toEqual(changed);
    await place.reopen();
    place.time.advance(2 * MINUTE);
    await sweepAll(place);
    const page = { teamId, createdBy: undefined, limit: 5, before: undefined };
    expect((await place.store.listSecrets({ ...page, state: "available" })).items).toEqual([changed]);
    expect(await claim(place, secret)).toMatchObject({ kind: "claimed", secret: { state: "available", claims: 1 } });
    expect(await place.store.setSecretTerms(teamId, secret.id, { ...by, maxClaims: 1 })).toBe("too_few");
    const sooner = { ...by, expiresAt: place.clock.now() + MINUTE };
    expect(await place.store.setSecretTerms(teamId, secret.id, sooner)).toMatchObject({ expiresAt: sooner.expiresAt });
    place.time.advance(2 * MINUTE);
    expect((await place.store.listSecrets({ ...page, state: "expired" })).items).toHaveLength(1);
    await sweepAll(place);
    const told = ["created", "changed", "claimed", "changed", "expired"].map((what) => `secret.${what} ${secret.id}`);
    expect(await toldOf(place, teamId)).toEqual(told);
    const expired = await place.store.setSecretTerms(teamId, secret.id, longer);
    expect(expired).toMatchObject({ state: "expired", expiresAt: sooner.expiresAt, maxClaims: 2 });
    const history = await place.store.listSecretEvents({ ...secret, ...(expired as object) });
    expect(history.map(({ type, actorId }) => [type, actorId])).toContainEqual(["secret.changed", "idn_1"]);
  });

  test("terms aren't changed beyond the quota, nor of what was handed in", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const secret = await addSecret(place, teamId);
    const { storedBytes: quotaBytes } = await place.store.findTeamUsage(teamId);
    const by = { actorId: null, expiresAt: undefined };
    const more = { ...by, maxClaims: secret.maxClaims + 1 };
    expect(await place.store.setSecretTerms(teamId, secret.id, { ...more, quotaBytes })).toBe("quota_exceeded");
    // Nothing is charged for what changes nothing.
    const same = { ...by, maxClaims: secret.maxClaims, quotaBytes };
    expect(await place.store.setSecretTerms(teamId, secret.id, same)).toEqual(secret);
    const { id: requestId } = await addRequest(place, teamId);
    const handedIn = await submit(place, { id: requestId, teamId });
    if (handedIn?.kind !== "created") throw new Error("it was not taken");
    const { id } = handedIn.secret;
    expect(await place.store.setSecretTerms(teamId, id, { ...more, quotaBytes: Infinity })).toBe("submission");
  });

  test("a secret expires on time and stays expired, whatever the clock does, after a restart too", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const reporters = {
      find: (id: string) => place.store.findSecret(teamId, id),
      claim: (id: string) => claim(place, { id, teamId }),
      revoke: (id: string) => place.store.revokeSecret(teamId, id, null),
      token: (id: string) => place.store.findSecretByClaimToken(hashOf(id), id),
      sweep: () => sweepAll(place),
    };
    for (const [reporter, report] of Object.entries(reporters)) {
      const { id, expiresAt } = await addSecret(place, teamId);
      place.time.advance(expiresAt - place.clock.now());
      await report(id);
      place.time.jump(-DAY);
      await place.reopen();
      expect({ reporter, secret: await place.store.findSecret(teamId, id) }).toMatchObject({
        reporter,
        secret: { state: "expired", endedAt: expiresAt },
      });
      expect(await claim(place, { id, teamId })).toEqual({ kind: "ended", state: "expired" });
    }
  });

  test("a tombstone is kept for its time, and then erased completely", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const [claimed, expired] = [await addSecret(place, teamId), await addSecret(place, teamId)];
    await claim(place, claimed, "key");
    place.time.advance(TOMBSTONE_MS - 1);
    await sweepAll(place);
    expect(await place.store.findSecret(teamId, claimed.id)).toMatchObject({ state: "claimed" });
    place.time.advance(60 * MINUTE + 1);
    await sweepAll(place);
    expect(await place.store.findSecret(teamId, claimed.id)).toBeUndefined();
    expect(await place.store.findSecret(teamId, expired.id)).toBeUndefined();
    place.time.advance(TOMBSTONE_MS);
    await sweepAll(place);
    expect(await toldOf(place, teamId)).toEqual([]);
    expect(await place.store.findTeamUsage(teamId)).toEqual({ storedBytes: 0, quotaBytes: null });
  });

  test("a step of the sweeper changes no more rows than its limit, and returns true when more are due", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    for (let n = 0; n < 5; n++) await addSecret(place, teamId);
    expect(await place.store.sweep(2)).toBe(false);
    place.time.advance(60 * MINUTE);
    const steps: boolean[] = [];
    for (let n = 0; n < 3; n++) steps.push(await place.store.sweep(2));
    expect(steps).toEqual([true, true, false]);
    expect((await toldOf(place, teamId)).filter((each) => each.startsWith("secret.expired"))).toHaveLength(5);
  });
}
