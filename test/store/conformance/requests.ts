import { expect, test } from "bun:test";
import {
  addRequest,
  addTeam,
  callOf,
  claim,
  DAY,
  hashOf,
  MINUTE,
  newRequest,
  submit,
  sweepAll,
  toldOf,
  TOMBSTONE_MS,
} from "../../support/stores.ts";
import type { OpenStore } from "../../support/stores.ts";

const BY_NOBODY = { actorId: null, quotaBytes: Infinity };

export function describeRequests(open: OpenStore): void {
  describeCreations(open);
  describeSubmissions(open);
  describeEnds(open);
}

function describeCreations(open: OpenStore): void {
  test("a request is found and listed as it was created, after a restart too, and only by its own team", async () => {
    await using place = await open();
    const [teamId, others] = [await addTeam(place), await addTeam(place, "others")];
    const request = newRequest(place, teamId, { createdBy: "idn_1", reference: "OPS-4711" });
    expect(await place.store.createRequest(request)).toEqual({ kind: "created", request: request.record });
    const { id } = request.record;
    const page = { createdBy: undefined, state: undefined, limit: 5, before: undefined };
    for (let round = 0; round < 2; round++) {
      expect(await place.store.findRequest(teamId, id)).toEqual(request.record);
      expect(await place.store.findNote(teamId, id)).toEqual(request.note);
      expect((await place.store.listRequests({ ...page, teamId })).items).toEqual([request.record]);
      expect(await place.store.findRequest(others, id)).toBeUndefined();
      expect(await place.store.findNote(others, id)).toBeUndefined();
      expect((await place.store.listRequests({ ...page, teamId: others })).items).toEqual([]);
      expect(await place.store.revokeRequest(others, id, null)).toBeUndefined();
      expect(await place.store.setRequestState(others, id, { state: "paused", ...BY_NOBODY })).toBeUndefined();
      expect(await submit(place, { id, teamId: others })).toBeUndefined();
      await place.reopen();
    }
  });

  test("a repeated creation stores nothing and gets the first answer; a different one is a conflict", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const create = (content: string) =>
      place.store.createRequest(newRequest(place, teamId, { call: callOf("key", content) }));
    const first = await create("one");
    if (!("request" in first)) throw new Error(first.kind);
    await place.store.revokeRequest(teamId, first.request.id, null);
    const replayed = { kind: "replayed", request: first.request } as const;
    expect(await create("one")).toEqual(replayed);
    expect(await place.store.replayRequestCreation(teamId, callOf("key", "one"))).toEqual(replayed);
    expect(await create("two")).toEqual({ kind: "conflict" });
    place.time.advance(DAY);
    expect(await place.store.replayRequestCreation(teamId, callOf("key", "one"))).toBeUndefined();
  });

  test("a request, its note and its resumption count against the quota, and pausing is always possible", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    expect(await place.store.createRequest(newRequest(place, teamId, { quotaBytes: 100 }))).toEqual({
      kind: "quota_exceeded",
    });
    const { id } = await addRequest(place, teamId);
    const full = { actorId: null, quotaBytes: (await place.store.findTeamUsage(teamId)).storedBytes };
    expect(await place.store.setRequestState(teamId, id, { state: "paused", ...full })).toMatchObject({
      state: "paused",
    });
    expect(await place.store.setRequestState(teamId, id, { state: "open", ...full })).toBe("quota_exceeded");
    expect(await place.store.findRequest(teamId, id)).toMatchObject({ state: "paused" });
  });

  test("lists are paged, newest first, and can be filtered by state and creator", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const ids: string[] = [];
    for (const [n, minutes] of [1, 1, 60, 60].entries()) {
      const expiresAt = place.clock.now() + minutes * MINUTE;
      ids.push((await addRequest(place, teamId, { expiresAt, createdBy: n % 2 === 0 ? "idn_even" : "idn_odd" })).id);
    }
    for (const id of [ids[0], ids[2]]) {
      await place.store.setRequestState(teamId, id ?? "", { state: "paused", ...BY_NOBODY });
    }
    place.time.advance(MINUTE);
    const list = async (change: object) => {
      const input = { teamId, state: undefined, createdBy: undefined, limit: 10, before: undefined, ...change };
      return (await place.store.listRequests(input)).items.map(({ id }) => ids.indexOf(id));
    };
    expect(await list({})).toEqual([3, 2, 1, 0]);
    expect(await list({ limit: 1, before: ids[3] })).toEqual([2]);
    expect(await list({ state: "open" })).toEqual([3]);
    expect(await list({ state: "paused" })).toEqual([2]);
    expect(await list({ state: "expired" })).toEqual([1, 0]);
    expect(await list({ state: "revoked" })).toEqual([]);
    expect(await list({ createdBy: "idn_even" })).toEqual([2, 0]);
    expect(await list({ createdBy: "idn_even", state: "paused" })).toEqual([2]);
    expect(await list({ createdBy: "idn_odd", state: "expired" })).toEqual([1]);
  });

  test("a list by ticket matches the exact text, and can be combined with state and creator", async () => {
    await using place = await open();
    const [teamId, others] = [await addTeam(place), await addTeam(place, "others")];
    const made: string[] = [];
    for (const [n, reference] of ["OPS-1", "ops-1", null, "OPS-1", "OPS-11", "OPS-1"].entries()) {
      made.push((await addRequest(place, teamId, { reference, createdBy: n < 4 ? "idn_1" : "idn_2" })).id);
    }
    await addRequest(place, others, { reference: "OPS-1", createdBy: "idn_1" });
    await place.store.revokeRequest(teamId, made[0] ?? "", null);
    const list = async (change: object) => {
      const input = { teamId, state: undefined, createdBy: undefined, limit: 10, before: undefined, ...change };
      return (await place.store.listRequests(input)).items.map(({ id }) => made.indexOf(id));
    };
    expect(await list({ reference: "OPS-1" })).toEqual([5, 3, 0]);
    expect(await list({ reference: "OPS-1", limit: 2 })).toEqual([5, 3]);
    expect(await list({ reference: "OPS-1", before: made[5] })).toEqual([3, 0]);
    expect(await list({ reference: "ops-1" })).toEqual([1]);
    expect(await list({ reference: "OPS-_" })).toEqual([]);
    expect(await list({ reference: "OPS-1", state: "revoked" })).toEqual([0]);
    expect(await list({ reference: "OPS-1", state: "open" })).toEqual([5, 3]);
    expect(await list({ reference: "OPS-1", createdBy: "idn_1" })).toEqual([3, 0]);
    expect(await list({ reference: "OPS-1", createdBy: "idn_1", state: "open" })).toEqual([3]);
    place.time.advance(DAY);
    expect(await list({ reference: "OPS-1", state: "expired" })).toEqual([5, 3]);
    expect(await list({ reference: "OPS-1", state: "open" })).toEqual([]);
  });

  test("a submit token finds the named one of several requests with the same token, or else the newest", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const submitTokenHash = hashOf("token");
    const older = await addRequest(place, teamId, { submitTokenHash });
    const newer = await addRequest(place, teamId, { submitTokenHash });
    const find = async (id?: string) => (await place.store.findRequestBySubmitToken(submitTokenHash, id))?.id;
    expect([await find(), await find(older.id), await find(newer.id)]).toEqual([newer.id, older.id, newer.id]);
    expect(await place.store.findRequestBySubmitToken(hashOf("another"), older.id)).toBeUndefined();
  });
}

function describeSubmissions(open: OpenStore): void {
  test("as many concurrent submissions as are allowed are accepted, and the last fulfills the request", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const request = await addRequest(place, teamId, { maxSubmissions: 2 });
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => submit(place, request)));
    const taken = outcomes.flatMap((outcome) => (outcome?.kind === "created" ? [outcome.secret.id] : []));
    expect(taken).toHaveLength(2);
    expect(outcomes.slice(2)).toEqual(outcomes.slice(2).map(() => ({ kind: "closed", state: "fulfilled" })));
    expect(await place.store.findRequest(teamId, request.id)).toMatchObject({ state: "fulfilled", submissionCount: 2 });
    expect(await place.store.findNote(teamId, request.id)).toBeUndefined();
    const listed = await place.store.listSubmissions(teamId, request.id);
    expect(listed.map(({ secretId, state }) => ({ secretId, state }))).toEqual(
      taken.map((secretId) => ({ secretId, state: "available" })),
    );
    expect(await toldOf(place, teamId)).toEqual([
      `request.created ${request.id}`,
      ...taken.map((id) => `secret.created ${id}`),
      `request.fulfilled ${request.id}`,
    ]);
  });

  test("a repeated submission is stored once, and gets the same answer after the request has ended", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const request = await addRequest(place, teamId);
    const first = await submit(place, request, { call: callOf("key") });
    if (first?.kind !== "created") throw new Error("it was not taken");
    expect(await submit(place, request, { call: callOf("key") })).toEqual({ kind: "replayed", secret: first.secret });
    expect(await submit(place, request, { call: callOf("key", "another") })).toEqual({ kind: "conflict" });
  });

  test("a paused request accepts nothing until it is resumed, and each change has one event", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const request = await addRequest(place, teamId);
    const set = (state: "open" | "paused") => place.store.setRequestState(teamId, request.id, { state, ...BY_NOBODY });
    for (let n = 0; n < 2; n++) expect(await set("paused")).toMatchObject({ state: "paused" });
    expect(await submit(place, request)).toEqual({ kind: "closed", state: "paused" });
    for (let n = 0; n < 2; n++) expect(await set("open")).toMatchObject({ state: "open" });
    expect(await submit(place, request)).toMatchObject({ kind: "created" });
    const types = (await toldOf(place, teamId)).map((each) => each.split(" ")[0]);
    expect(types).toEqual([
      "request.created",
      "request.paused",
      "request.opened",
      "secret.created",
      "request.fulfilled",
    ]);
  });

  test("a submission that exceeds the team's quota doesn't count", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const request = await addRequest(place, teamId);
    expect(await submit(place, request, { quotaBytes: 100 })).toEqual({ kind: "quota_exceeded" });
    expect(await place.store.findRequest(teamId, request.id)).toEqual(request);
  });
}

function describeEnds(open: OpenStore): void {
  test("a revocation ends a request and erases its note; ended requests and submissions stay", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const request = await addRequest(place, teamId, { maxSubmissions: 2 });
    await submit(place, request);
    const revoked = await place.store.revokeRequest(teamId, request.id, "idn_1");
    expect(revoked).toEqual({ ...request, submissionCount: 1, state: "revoked", endedAt: place.clock.now() });
    expect(await place.store.findNote(teamId, request.id)).toBeUndefined();
    place.time.advance(MINUTE);
    expect(await place.store.revokeRequest(teamId, request.id, "idn_2")).toEqual(revoked);
    expect(await place.store.setRequestState(teamId, request.id, { state: "open", ...BY_NOBODY })).toEqual(revoked);
    expect(await submit(place, request)).toEqual({ kind: "closed", state: "revoked" });
    expect(await place.store.listSubmissions(teamId, request.id)).toMatchObject([{ state: "available" }]);
  });

  test("a request expires on time and stays expired, whatever the clock does, after a restart too", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const reporters = {
      find: (id: string) => place.store.findRequest(teamId, id),
      submit: (id: string) => submit(place, { id, teamId }),
      pause: (id: string) => place.store.setRequestState(teamId, id, { state: "paused", ...BY_NOBODY }),
      revoke: (id: string) => place.store.revokeRequest(teamId, id, null),
      token: (id: string) => place.store.findRequestBySubmitToken(hashOf(id), id),
      list: () =>
        place.store.listRequests({ teamId, state: "expired", createdBy: undefined, limit: 1, before: undefined }),
      sweep: () => sweepAll(place),
    };
    for (const [reporter, report] of Object.entries(reporters)) {
      const request = await addRequest(place, teamId);
      place.time.advance(request.expiresAt - place.clock.now());
      await report(request.id);
      place.time.jump(-DAY);
      await place.reopen();
      expect({ reporter, request: await place.store.findRequest(teamId, request.id) }).toEqual({
        reporter,
        request: { ...request, state: "expired", endedAt: request.expiresAt },
      });
      expect(await submit(place, request)).toEqual({ kind: "closed", state: "expired" });
      expect(await place.store.findNote(teamId, request.id)).toBeUndefined();
    }
  });

  test("an ended request is kept while a submission is available, and erased once that was claimed", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const request = await addRequest(place, teamId);
    const expiresAt = place.clock.now() + TOMBSTONE_MS + DAY;
    const handedIn = await submit(place, request, { expiresAt });
    if (handedIn?.kind !== "created") throw new Error("it was not taken");
    place.time.advance(TOMBSTONE_MS + MINUTE);
    await sweepAll(place);
    expect(await place.store.findRequest(teamId, request.id)).toMatchObject({ state: "fulfilled" });
    await claim(place, handedIn.secret);
    place.time.advance(DAY);
    await sweepAll(place);
    expect(await place.store.findRequest(teamId, request.id)).toBeUndefined();
    place.time.advance(TOMBSTONE_MS);
    await sweepAll(place);
    expect(await place.store.findTeamUsage(teamId)).toEqual({ storedBytes: 0, quotaBytes: null });
  });
}
