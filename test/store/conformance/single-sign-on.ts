import { expect, test } from "bun:test";
import type { IdentityRecord } from "../../../src/domain/ports/identities.ts";
import type { ProviderGuest } from "../../../src/domain/ports/providers.ts";
import { addIdentity, addTeam, DAY, hashOf, MINUTE, newSession } from "../../support/stores.ts";
import type { OpenStore, WorkingStore } from "../../support/stores.ts";

const ISSUER = "https://login.example";

/** Somebody with the account `subject` and the address of `person`. */
function guestOf(person: Pick<IdentityRecord, "name">, subject: string, more: Partial<ProviderGuest> = {}) {
  const { name: address } = person;
  const none = { teamId: undefined, newcomer: undefined, isSilent: false };
  return { issuer: ISSUER, subject, sid: null, address, ...none, ...more };
}

async function typesIn({ store }: WorkingStore, teamId: string): Promise<string[]> {
  return (await store.listEvents(teamId, undefined, 100)).map(({ type }) => type);
}

export function describeSingleSignOn(open: OpenStore): void {
  test("an account belongs to one person for good, and a person has one account of a provider", async () => {
    await using place = await open();
    const { store, clock } = place;
    const teamId = await addTeam(place);
    const ann = await addIdentity(place, teamId, "person");
    const signIn = (guest: ProviderGuest, name: string) => store.signInWithProvider(guest, newSession(place, name));
    const abandoned = store.signInWithProvider(guestOf(ann, "1"), newSession(place, "0"), AbortSignal.abort());
    expect(await abandoned).toBe("abandoned");
    expect(await store.findProviderAccount(ann.id)).toBeUndefined();
    const begun = await signIn(guestOf({ name: ann.name.toUpperCase() }, "1", { sid: "s" }), "1");
    const confirmed = { confirmedAt: clock.now(), providerSid: "s", parentId: null };
    expect(begun).toMatchObject({ identity: ann, way: "oidc", ...confirmed });
    expect(await store.findSession(hashOf("1"))).toEqual({ ...(begun as object), teamRules: null } as never);
    expect(await store.findProviderAccount(ann.id)).toEqual({ issuer: ISSUER, subject: "1", createdAt: clock.now() });
    expect(await signIn(guestOf({ name: "another address" }, "1"), "2")).toMatchObject({ identity: ann });
    expect(await signIn(guestOf(ann, "2"), "3")).toBe("bound");
    expect(await signIn(guestOf({ name: "nobody" }, "2"), "4")).toBe("unknown");
    expect(await typesIn(place, teamId)).toEqual(["person.signed_in", "person.signed_in", "person.refused"]);
    // The server has another provider from now on.
    expect(await signIn(guestOf(ann, "1", { issuer: "https://other.example" }), "5")).toMatchObject({ identity: ann });
    expect(await signIn(guestOf({ name: "nobody" }, "1"), "6")).toBe("unknown");
    await store.disableIdentity(ann.id);
    // Whatever the account's address is now.
    const own = { issuer: "https://other.example" };
    expect(await signIn(guestOf({ name: "another address" }, "1", own), "7")).toBe("removed");
    expect(await signIn(guestOf(ann, "1"), "8")).toBe("removed");
    await store.createSignInLink({ identity: ann, createdAt: 0, expiresAt: clock.now() + DAY }, hashOf("link"));
    expect(await store.findProviderAccount(ann.id)).toBeUndefined();
    expect(await store.deleteTeam(teamId)).toBe(true);
  });

  test("two sign-ins of a new account at once make one person", async () => {
    await using place = await open();
    const { store, ids, clock } = place;
    const teamId = await addTeam(place);
    const signIn = (name: string) => {
      const identity = { id: ids.next("identity"), kind: "person", teamId, teamName: "team", name: "ann" } as const;
      const newcomer = { ...identity, personName: "Ann", scopes: [], createdAt: clock.now(), disabledAt: null };
      return store.signInWithProvider(guestOf(newcomer, "1", { newcomer }), newSession(place, name));
    };
    const [one, two] = await Promise.all([signIn("1"), signIn("2")]);
    const people = await store.listIdentities(teamId);
    expect(people).toMatchObject([{ name: "ann", personName: "Ann" }]);
    expect([one, two]).toMatchObject([{ identity: people[0] }, { identity: people[0] }]);
    // An automation has the address.
    const automation = await addIdentity(place, teamId);
    const newcomer = { ...automation, id: ids.next("identity"), kind: "person" } as const;
    const guest = guestOf(automation, "2", { newcomer });
    expect(await store.signInWithProvider(guest, newSession(place, "3"))).toBe("unknown");
  });

  test("the address of people in several teams is that of the given team's person", async () => {
    await using place = await open();
    const [one, other] = [await addTeam(place, "one"), await addTeam(place, "other")];
    const model = await addIdentity(place, one, "person");
    const ann = { ...model, id: place.ids.next("identity"), name: "ann" };
    const identity = { ...ann, id: place.ids.next("identity"), teamId: other, teamName: "other" };
    for (const each of [ann, identity]) {
      const times = { createdAt: 0, expiresAt: place.clock.now() + DAY };
      await place.store.createSignInLink({ identity: each, ...times }, hashOf(each.id));
    }
    const signIn = (teamId: string | undefined) =>
      place.store.signInWithProvider(guestOf(ann, "1", { teamId }), newSession(place, "session"));
    expect(await signIn(undefined)).toBe("several");
    expect(await signIn("tea_another")).toBe("several");
    expect(await signIn(other)).toMatchObject({ identity });
  });

  test("a session of the provider is renewed in its browser while it lives", async () => {
    await using place = await open();
    const { store, clock, time } = place;
    const teamId = await addTeam(place);
    const ann = await addIdentity(place, teamId, "person");
    const [first, second] = [newSession(place, "1"), newSession(place, "2")];
    const begun = await store.signInWithProvider(guestOf(ann, "1"), first);
    time.advance(MINUTE);
    const again = { ...second, expiresAt: clock.now() + DAY, formerHash: hashOf("1") };
    const renewed = await store.signInWithProvider(guestOf(ann, "1", { sid: "new" }), again);
    const now = clock.now();
    const confirmed = { createdAt: now, lastUsedAt: now, confirmedAt: now, providerSid: "new" };
    expect(renewed).toMatchObject({ ...(begun as object), ...confirmed });
    expect(await store.findSession(hashOf("1"))).toBeUndefined();
    expect(await store.findSession(hashOf("2"))).toEqual(renewed as never);
    expect(await typesIn(place, teamId)).toEqual(["person.signed_in"]);
    time.advance(2 * DAY);
    const late = { ...newSession(place, "3"), expiresAt: clock.now() + DAY, formerHash: hashOf("2") };
    expect(await store.signInWithProvider(guestOf(ann, "1"), late)).toMatchObject({ id: late.id });
    expect(await store.findSession(hashOf("2"))).toBeUndefined();
  });

  test("a provider ends one of its sessions, or all of an account's, and no others", async () => {
    await using place = await open();
    const { store, clock } = place;
    const teamId = await addTeam(place);
    const [ann, bob] = [await addIdentity(place, teamId, "person"), await addIdentity(place, teamId, "person")];
    const signIn = (person: IdentityRecord, subject: string, sid: string) =>
      store.signInWithProvider(guestOf(person, subject, { sid }), newSession(place, `${subject} ${sid}`));
    await signIn(ann, "1", "a");
    await signIn(ann, "1", "b");
    await signIn(bob, "2", "c");
    await store.createSignInLink({ identity: ann, createdAt: 0, expiresAt: clock.now() + DAY }, hashOf("link"));
    await store.tradeSignIn(hashOf("link"), newSession(place, "by link"));
    const live = async () => {
      const names = ["1 a", "1 b", "2 c", "by link"];
      const found = await Promise.all(names.map((name) => store.findSession(hashOf(name))));
      return names.filter((_, at) => found[at] !== undefined);
    };
    const end = (logout: { issuer?: string; subject?: string; sid?: string }) =>
      store.endProviderSessions({ issuer: ISSUER, subject: undefined, sid: undefined, ...logout });
    expect(await end({ issuer: "https://other.example", sid: "a" })).toBe(0);
    expect(await end({ subject: "2", sid: "a" })).toBe(0);
    expect(await live()).toHaveLength(4);
    expect(await end({ sid: "a" })).toBe(1);
    expect(await live()).toEqual(["1 b", "2 c", "by link"]);
    expect(await end({ subject: "1" })).toBe(1);
    expect(await live()).toEqual(["2 c", "by link"]);
    expect((await typesIn(place, teamId)).filter((type) => type === "person.signed_out")).toHaveLength(2);
  });
}
