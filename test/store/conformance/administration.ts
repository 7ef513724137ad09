import { expect, test } from "bun:test";
import type { IdentityRecord } from "../../../src/domain/ports/identities.ts";
import { addIdentity, addTeam, DAY, hashOf, MINUTE, newKey, newSession } from "../../support/stores.ts";
import type { OpenStore } from "../../support/stores.ts";

export function describeAdministration(open: OpenStore): void {
  describeKeys(open);
  describeRules(open);
  describePeople(open);
  describeSettings(open);

  test("names are unique: of teams everywhere, of identities in their team", async () => {
    await using place = await open();
    const [teamId, others] = [await addTeam(place), await addTeam(place, "others")];
    const again = {
      id: place.ids.next("team"),
      name: "team",
      createdAt: 1,
      storedBytes: 0,
      quotaBytes: null,
      rules: null,
    };
    expect(await place.store.createTeam(again)).toBe("name_taken");
    expect((await place.store.listTeams()).map(({ id }) => id)).toEqual([teamId, others]);
    const identity = await addIdentity(place, teamId);
    const copy = { ...identity, id: place.ids.next("identity") };
    expect(await place.store.createIdentity(copy)).toBe("name_taken");
    expect(await place.store.createIdentity({ ...copy, teamId: others, teamName: "others" })).toBe("created");
    expect(await place.store.listIdentities(teamId)).toEqual([identity]);
    expect(await place.store.listIdentities(undefined)).toHaveLength(2);
  });
}

function describeSettings(open: OpenStore): void {
  test("a store has a permanent and unique ID", async () => {
    await using place = await open();
    await using other = await open();
    const id = await place.store.findInstallation();
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(await other.store.findInstallation()).not.toBe(id);
    await place.reopen();
    expect(await place.store.findInstallation()).toBe(id);
  });

  test("the stored quota is the last one that was set, and undefined before", async () => {
    await using place = await open();
    expect(await place.store.findTeamQuota()).toBeUndefined();
    for (const bytes of [2 ** 30, 2 ** 30, 2 ** 40]) {
      await place.store.keepTeamQuota(bytes);
      expect(await place.store.findTeamQuota()).toBe(bytes);
    }
  });
}

function describeRules(open: OpenStore): void {
  const rules = { maxTtlSeconds: 86_400, requireReference: true, forDomains: ["a.test", "ä.test"] } as const;

  test("the rules of a team are changed one by one, and come with its keys and sessions", async () => {
    await using place = await open();
    const { store } = place;
    const [teamId, others] = [await addTeam(place), await addTeam(place, "others")];
    for (const [id, name] of [
      [teamId, "key"],
      [others, "other key"],
    ] as const) {
      await store.createKey(newKey(place, await addIdentity(place, id)), hashOf(name));
    }
    const identity = await addIdentity(place, teamId, "person");
    await store.createSignInLink({ identity, createdAt: 0, expiresAt: place.clock.now() + DAY }, hashOf("link"));
    await store.tradeSignIn(hashOf("link"), newSession(place, "session"));
    const found = async () => {
      const credentials = [await store.findKeyByHash(hashOf("key")), await store.findSession(hashOf("session"))];
      return [...credentials.map((each) => each?.teamRules), (await store.findTeam(teamId))?.rules];
    };
    expect(await found()).toEqual([null, null, null]);
    expect((await store.setTeamRules(teamId, rules))?.rules).toEqual(rules);
    expect(await found()).toEqual([rules, rules, rules]);
    expect((await store.findKeyByHash(hashOf("other key")))?.teamRules).toBeNull();
    await place.reopen();
    await place.store.setTeamRules(teamId, { maxTtlSeconds: null, maxClaims: 1 });
    const { maxTtlSeconds: _lifted, ...rest } = rules;
    expect((await place.store.findTeam(teamId))?.rules).toEqual({ ...rest, maxClaims: 1 });
    await place.store.setTeamRules(teamId, { maxClaims: null, requireReference: null, forDomains: null });
    expect((await place.store.findKeyByHash(hashOf("key")))?.teamRules).toBeNull();
    expect(await place.store.setTeamRules("tea_none", rules)).toBeUndefined();
  });
}

function describeKeys(open: OpenStore): void {
  test("a key is found by its hash as it was stored, with the current state of its identity", async () => {
    await using place = await open();
    const identity = await addIdentity(place, await addTeam(place));
    const key = { ...newKey(place, identity), networks: "10.0.0.0/8 2001:db8::/32" };
    await place.store.createKey(key, hashOf("one"));
    expect(await place.store.findKey(key.id)).toEqual(key);
    const find = () => place.store.findKeyByHash(hashOf("one"));
    expect(await find()).toEqual({ ...key, teamRules: null });
    expect(await place.store.findKeyByHash(hashOf("two"))).toBeUndefined();
    await place.store.setScopes(identity.id, ["secrets:claim"]);
    expect((await find())?.identity.scopes).toEqual(["secrets:claim"]);
    await place.store.disableIdentity(identity.id);
    expect((await find())?.identity.disabledAt).toBe(place.clock.now());
    await place.store.enableIdentity(identity.id);
    expect((await find())?.identity.disabledAt).toBeNull();
  });

  test("a key and its new identity are stored together or not at all", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const others = await addIdentity(place, teamId);
    const first = newKey(place, { ...others, id: place.ids.next("identity"), name: "first" });
    expect(await place.store.createKey(first, hashOf("one"))).toEqual(first);
    // This hash exists already.
    const second = newKey(place, { ...others, id: place.ids.next("identity"), name: "second" });
    expect(await kindOf(place.store.createKey(second, hashOf("one")))).toBe("rejected");
    const again = newKey(place, { ...first.identity, id: place.ids.next("identity") });
    const both = [place.store.createKey(again, hashOf("two")), place.store.createKey(second, hashOf("three"))];
    expect(await Promise.all(both)).toEqual([{ ...again, identity: first.identity }, second]);
    const identities = await place.store.listIdentities(teamId);
    expect(identities.map(({ name }) => name).toSorted()).toEqual([others.name, "first", "second"].toSorted());
    await place.store.disableIdentity(first.identity.id);
    const late = newKey(place, first.identity);
    expect(await kindOf(place.store.createKey(late, hashOf("four")))).toBe("rejected");
    expect(await place.store.findKey(late.id)).toBeUndefined();
    expect(await place.store.findKey(second.id)).toEqual(second);
  });

  test("revoking a key and marking it as exposed keep the time of the first call", async () => {
    await using place = await open();
    const key = newKey(place, await addIdentity(place, await addTeam(place)));
    await place.store.createKey(key, hashOf("one"));
    const first = place.clock.now();
    for (let n = 0; n < 2; n++) {
      await place.store.revokeKey(key.id);
      expect(await place.store.markKeyExposed(hashOf("one"))).toBe(key.id);
      place.time.advance(MINUTE);
    }
    expect(await place.store.markKeyExposed(hashOf("none"))).toBeUndefined();
    expect(await place.store.findKeyByHash(hashOf("one"))).toEqual({
      ...key,
      teamRules: null,
      revokedAt: first,
      exposedAt: first,
    });
  });

  test("of two rotations of a key only one succeeds, and sets the key's expiry", async () => {
    await using place = await open();
    const identity = await addIdentity(place, await addTeam(place));
    const old = newKey(place, identity);
    await place.store.createKey(old, hashOf("old"));
    const [one, two] = [newKey(place, identity), newKey(place, identity)];
    const end = place.clock.now() + DAY;
    const results = await Promise.all([
      place.store.replaceKey(one, hashOf("one"), old.id, end),
      place.store.replaceKey(two, hashOf("two"), old.id, end + 1),
    ]);
    expect(results).toEqual([true, false]);
    const replaced = { ...old, teamRules: null, expiresAt: end, successorId: one.id };
    expect(await place.store.findKeyByHash(hashOf("old"))).toEqual(replaced);
    expect(await place.store.findKeyByHash(hashOf("two"))).toBeUndefined();
  });

  test("the last use of a key is stored to the minute", async () => {
    await using place = await open();
    const key = newKey(place, await addIdentity(place, await addTeam(place)));
    await place.store.createKey(key, hashOf("one"));
    place.store.recordKeyUse(key.id);
    const used = place.clock.now();
    // A write behind it in the queue.
    await addTeam(place, "another");
    const { lastUsedAt } = (await place.store.findKeyByHash(hashOf("one"))) ?? {};
    expect(lastUsedAt).toBe(Math.floor(used / MINUTE) * MINUTE);
  });

  test("the refusals of a key are one event an hour, with its identity", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const [one, two] = [await addIdentity(place, teamId), await addIdentity(place, teamId)];
    const [key, another] = [newKey(place, one), newKey(place, two)];
    await place.store.createKey(key, hashOf("one"));
    await place.store.createKey(another, hashOf("another"));
    const refused = async () => {
      // A write behind it in the queue.
      await place.store.revokeKey(place.ids.next("key"));
      return place.store.listEvents(teamId, undefined, 100);
    };
    for (let n = 0; n < 100; n++) place.store.recordKeyRefusal(key.id, "192.0.2.1");
    place.store.recordKeyRefusal(another.id, null);
    place.store.recordKeyRefusal(place.ids.next("key"), null);
    const common = { type: "key.refused", secretId: null, requestId: null, reference: null, address: null } as const;
    const events = await refused();
    expect(events.map(({ actorId }) => actorId)).toEqual([one.id, two.id]);
    expect(events[0]).toMatchObject({ ...common, actorKind: "automation", network: "192.0.2.1" });
    expect(events[1]).toMatchObject({ ...common, network: null });
    place.time.advance(60 * MINUTE);
    for (let n = 0; n < 2; n++) place.store.recordKeyRefusal(key.id, "192.0.2.1");
    expect((await refused()).map(({ actorId }) => actorId)).toEqual([one.id, two.id, one.id]);
  });
}

function describePeople(open: OpenStore): void {
  test("a sign-in link is traded for a session once, and a newer link replaces the earlier one", async () => {
    await using place = await open();
    const { store, clock } = place;
    const identity = await addIdentity(place, await addTeam(place), "person");
    const link = { identity, createdAt: clock.now(), expiresAt: clock.now() + DAY };
    await store.createSignInLink(link, hashOf("older"));
    await store.createSignInLink(link, hashOf("newer"));
    expect(await store.findSignInLink(hashOf("older"))).toBeUndefined();
    expect(await store.findSignInLink(hashOf("newer"))).toEqual(link);
    const session = newSession(place, "session");
    const trade = (signal?: AbortSignal) => store.tradeSignIn(hashOf("newer"), session, signal);
    expect(await trade(AbortSignal.abort())).toBe("abandoned");
    const { tokenHash, ...kept } = session;
    const times = { createdAt: clock.now(), lastUsedAt: clock.now() };
    const begun = {
      ...kept,
      identity,
      way: "link",
      ...times,
      parentId: null,
      confirmedAt: null,
      providerSid: null,
    } as const;
    expect(await Promise.all([trade(), trade()])).toEqual([begun, undefined]);
    expect(await store.findSession(tokenHash)).toEqual({ ...begun, teamRules: null });
    expect(await store.findSignInLink(tokenHash)).toBeUndefined();
    await store.createSignInLink(link, hashOf("third"));
    const next = { ...newSession(place, "next"), formerHash: tokenHash };
    expect(await store.tradeSignIn(hashOf("newer"), next)).toBeUndefined();
    expect(await store.findSession(tokenHash)).toEqual({ ...begun, teamRules: null });
    expect(await store.tradeSignIn(hashOf("third"), next)).toMatchObject({ id: next.id, identity });
    expect(await store.findSession(tokenHash)).toBeUndefined();
    await store.deleteSession(hashOf("next"));
    expect(await store.findSession(hashOf("next"))).toBeUndefined();
  });

  test("sessions are listed and ended for their person alone, and each that begins or ends is an event", async () => {
    await using place = await open();
    const { store, clock } = place;
    const teamId = await addTeam(place);
    const [ann, bob] = [await addIdentity(place, teamId, "person"), await addIdentity(place, teamId, "person")];
    const begin = async (identity: IdentityRecord, name: string) => {
      await store.createSignInLink({ identity, createdAt: clock.now(), expiresAt: clock.now() + DAY }, hashOf(name));
      const session = newSession(place, name);
      await store.tradeSignIn(hashOf(name), session);
      place.time.advance(MINUTE);
      return session.id;
    };
    const [first, second, third] = [await begin(ann, "1"), await begin(ann, "2"), await begin(ann, "3")];
    const other = await begin(bob, "4");
    const idsOf = async ({ id }: IdentityRecord) => (await store.listSessions(id)).map((session) => session.id);
    expect(await idsOf(ann)).toEqual([third, second, first]);
    const used = Math.floor(clock.now() / MINUTE) * MINUTE;
    store.recordSessionUse(first);
    // Written behind it, as every change is.
    expect(await store.endSessionOf(ann.id, other)).toBe(false);
    expect(await store.listSessions(ann.id)).toMatchObject([
      { id: first, lastUsedAt: used },
      { id: third },
      { id: second },
    ]);
    expect(await store.endSessionOf(ann.id, second)).toBe(true);
    expect(await store.endSessionOf(ann.id, second)).toBe(false);
    expect(await store.endSessionsOf(ann.id, first)).toBe(1);
    expect([await idsOf(ann), await idsOf(bob)]).toEqual([[first], [other]]);
    const events = await store.listEvents(teamId, undefined, 100);
    expect(events.map(({ type, actorId }) => `${type} ${actorId === ann.id ? "ann" : "bob"}`)).toEqual([
      "person.signed_in ann",
      "person.signed_in ann",
      "person.signed_in ann",
      "person.signed_in bob",
      "person.signed_out ann",
      "person.signed_out ann",
    ]);
  });

  test("a person is stored with their first link or not at all, and a new link re-admits them", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const wanted = await addIdentity(place, teamId, "person").then((model) => ({
      ...model,
      id: place.ids.next("identity"),
      name: "ann",
    }));
    const link = { identity: wanted, createdAt: 0, expiresAt: place.clock.now() + DAY };
    expect(await place.store.createSignInLink(link, hashOf("one"))).toEqual(link);
    const bob = { ...wanted, id: place.ids.next("identity"), name: "bob" };
    expect(await kindOf(place.store.createSignInLink({ ...link, identity: bob }, hashOf("one")))).toBe("rejected");
    expect((await place.store.listIdentities(teamId)).map(({ name }) => name)).not.toContain("bob");
    expect(await place.store.disableIdentity(wanted.id)).toEqual({ ...wanted, disabledAt: place.clock.now() });
    const back = { ...link, identity: { ...wanted, id: place.ids.next("identity") } };
    expect(await place.store.createSignInLink(back, hashOf("two"))).toEqual(link);
    expect((await place.store.findSignInLink(hashOf("two")))?.identity).toEqual(wanted);
  });

  test("a person is found by ID with their latest name, even once removed, and an automation is not", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const automation = await addIdentity(place, teamId);
    const ann = { ...(await addIdentity(place, teamId, "person")), personName: null };
    const invite = (personName: string | null, hash: string) => {
      const identity = { ...ann, id: place.ids.next("identity"), personName };
      const times = { createdAt: place.clock.now(), expiresAt: place.clock.now() + DAY };
      return place.store.createSignInLink({ identity, ...times }, hashOf(hash));
    };
    expect(await place.store.findPerson(ann.id)).toEqual(ann);
    for (const [given, kept] of [
      ["Ann Lee", "Ann Lee"],
      [null, "Ann Lee"],
      ["山田 太郎", "山田 太郎"],
    ] as const) {
      expect((await invite(given, `${given}`)).identity).toEqual({ ...ann, personName: kept });
      expect(await place.store.findPerson(ann.id)).toEqual({ ...ann, personName: kept });
    }
    const removed = await place.store.disableIdentity(ann.id);
    expect(await place.store.findPerson(ann.id)).toEqual({
      ...ann,
      personName: "山田 太郎",
      disabledAt: place.clock.now(),
    });
    expect(removed?.personName).toBe("山田 太郎");
    expect(await place.store.findPerson(automation.id)).toBeUndefined();
    expect(await place.store.findPerson(place.ids.next("identity"))).toBeUndefined();
  });

  test("a terminal's login is decided once and taken once, and nobody is let in after its time", async () => {
    await using place = await open();
    const { store, clock } = place;
    const identity = await addIdentity(place, await addTeam(place), "person");
    await store.createSignInLink({ identity, createdAt: clock.now(), expiresAt: clock.now() + DAY }, hashOf("link"));
    const parent = newSession(place, "parent");
    await store.tradeSignIn(hashOf("link"), parent);
    const begin = (userCode: string, deviceCode = userCode) => {
      const times = { createdAt: clock.now(), expiresAt: clock.now() + MINUTE };
      const login = { userCode, machine: "m", address: null, state: "pending", sessionId: null, ...times } as const;
      return store.createLogin(login, hashOf(deviceCode));
    };
    const terminal = () => {
      const { browser: _browser, system: _system, ...session } = newSession(place, place.ids.next("session"));
      return session;
    };
    expect([await begin("one"), await begin("two"), await begin("three")]).toEqual([true, true, true]);
    expect(await begin("one", "other")).toBe(false);
    expect(await store.takeLogin(hashOf("one"), terminal())).toBe("pending");
    const approved = { state: "approved", sessionId: parent.id } as const;
    expect([await store.decideLogin("one", approved), await store.decideLogin("one", approved)]).toEqual([true, false]);
    expect(await store.findLogin("one")).toBeUndefined();
    const takes = await Promise.all([
      store.takeLogin(hashOf("one"), terminal()),
      store.takeLogin(hashOf("one"), terminal()),
    ]);
    expect(takes).toMatchObject([{ identity, way: "terminal", parentId: parent.id, system: "m" }, undefined] as never);
    await store.decideLogin("two", approved);
    await store.deleteSession(hashOf("parent"));
    expect(await store.listSessions(identity.id)).toEqual([]);
    expect(await store.takeLogin(hashOf("two"), terminal())).toBe("refused");
    place.time.advance(MINUTE);
    expect(await store.findLogin("three")).toBeUndefined();
    expect(await store.decideLogin("three", approved)).toBe(false);
    expect(await store.takeLogin(hashOf("three"), terminal())).toBeUndefined();
    expect(await begin("three")).toBe(true);
  });

  test("signing a person out, or removing them, ends their links and sessions, and those of nobody else", async () => {
    await using place = await open();
    const { store, clock } = place;
    const teamId = await addTeam(place);
    const ends = [(id: string) => store.signOutPerson(id), (id: string) => store.disableIdentity(id)];
    for (const [n, end] of ends.entries()) {
      const [ann, bob] = [await addIdentity(place, teamId, "person"), await addIdentity(place, teamId, "person")];
      for (const identity of [ann, bob]) {
        const link = { identity, createdAt: clock.now(), expiresAt: clock.now() + DAY };
        await store.createSignInLink(link, hashOf(`used ${identity.id}`));
        await store.tradeSignIn(hashOf(`used ${identity.id}`), newSession(place, identity.id));
        await store.createSignInLink(link, hashOf(`link ${identity.id}`));
      }
      await end(ann.id);
      expect(await store.findSession(hashOf(ann.id))).toBeUndefined();
      expect(await store.findSignInLink(hashOf(`link ${ann.id}`))).toBeUndefined();
      expect(await store.findSession(hashOf(bob.id))).toMatchObject({ identity: bob });
      expect(await store.findSignInLink(hashOf(`link ${bob.id}`))).toMatchObject({ identity: bob });
      expect(
        (await store.listEvents(teamId, undefined, 100)).filter(({ type }) => type === "person.signed_out"),
      ).toHaveLength(n + 1);
    }
  });
}

/** Resolves "stored" or "rejected", the outcome of a write. */
function kindOf(write: Promise<unknown>): Promise<"stored" | "rejected"> {
  return write.then(
    () => "stored",
    () => "rejected",
  );
}
