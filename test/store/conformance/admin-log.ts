import { expect, test } from "bun:test";
import {
  addIdentity,
  addRequest,
  addSecret,
  addTeam,
  callOf,
  DAY,
  hashOf,
  MINUTE,
  newKey,
  newSession,
  OPERATOR,
} from "../../support/stores.ts";
import type { OpenStore } from "../../support/stores.ts";

const ALL = { afterId: undefined, since: undefined, limit: undefined };

export function describeAdminLog(open: OpenStore): void {
  describeEntries(open);
  describeTeams(open);

  test("an identity can be renamed to a free name; a deleted identity's keys end, and its secrets stay", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const [one, two] = [await addIdentity(place, teamId), await addIdentity(place, teamId)];
    expect(await place.store.renameIdentity(one.id, two.name)).toBe("name_taken");
    expect(await place.store.renameIdentity(one.id, "Müller")).toEqual({ ...one, name: "Müller" });
    expect(await place.store.renameIdentity(place.ids.next("identity"), "x")).toBeUndefined();
    await place.store.createKey(newKey(place, two), hashOf("two"));
    const secret = await addSecret(place, teamId, { createdBy: two.id });
    expect(await place.store.deleteIdentity(two.id)).toEqual(two);
    expect(await place.store.deleteIdentity(two.id)).toBeUndefined();
    expect(await place.store.findKeyByHash(hashOf("two"))).toBeUndefined();
    expect(await place.store.findSecret(teamId, secret.id)).toEqual(secret);
    expect(await place.store.listIdentities(teamId)).toEqual([{ ...one, name: "Müller" }]);
  });
}

function describeEntries(open: OpenStore): void {
  test("each change by an admin is logged with author and time, and a call without a change is not", async () => {
    await using place = await open();
    const { store } = place;
    const teamId = await addTeam(place);
    const identity = { ...(await addIdentity(place, teamId)), teamName: "renamed" };
    await store.renameTeam(teamId, "renamed");
    await store.renameTeam(teamId, "renamed");
    await store.setTeamQuota(teamId, 2 ** 30);
    await store.setTeamQuota(teamId, 2 ** 30);
    for (let n = 0; n < 2; n++) await store.setTeamRules(teamId, { maxClaims: 1, forDomains: ["a.test"] });
    await store.setTeamRules(teamId, { forDomains: null, requireFor: true });
    const [key, next] = [newKey(place, identity), newKey(place, identity)];
    await store.createKey(key, hashOf("key"));
    await store.replaceKey(next, hashOf("next"), key.id, place.clock.now() + DAY);
    await store.restoreKey(next.id, key.id, null);
    place.time.advance(MINUTE);
    for (let n = 0; n < 2; n++) {
      await store.revokeKey(key.id);
      await store.disableIdentity(identity.id);
    }
    for (let n = 0; n < 2; n++) await store.enableIdentity(identity.id);
    await store.setScopes(identity.id, ["events:read"]);
    const [secret, request] = [await addSecret(place, teamId), await addRequest(place, teamId)];
    for (let n = 0; n < 2; n++) {
      await store.revokeSecret(teamId, secret.id, null);
      await store.revokeRequest(teamId, request.id, null);
    }
    await store.deleteIdentity(identity.id);
    const entries = await store.listAdminLog(ALL);
    expect(entries.map(({ action, subjectId }) => `${action} ${subjectId}`)).toEqual([
      `team.created ${teamId}`,
      `identity.created ${identity.id}`,
      `team.renamed ${teamId}`,
      `team.quota_changed ${teamId}`,
      `team.rules_changed ${teamId}`,
      `team.rules_changed ${teamId}`,
      `key.created ${key.id}`,
      `key.rotated ${key.id}`,
      `key.rotation_undone ${key.id}`,
      `key.revoked ${key.id}`,
      `identity.disabled ${identity.id}`,
      `identity.enabled ${identity.id}`,
      `identity.scopes_changed ${identity.id}`,
      `secret.revoked ${secret.id}`,
      `request.revoked ${request.id}`,
      `identity.deleted ${identity.id}`,
    ]);
    for (const entry of entries) expect(entry).toMatchObject({ ...OPERATOR, teamId });
    expect(entries[2]).toMatchObject({ subjectName: "renamed", details: { former_name: "team" } });
    expect(entries[3]).toMatchObject({ details: { quota_bytes: 2 ** 30, former_quota_bytes: null } });
    expect(entries[4]?.details).toEqual({
      max_claims: 1,
      former_max_claims: null,
      for_domain: ["a.test"],
      former_for_domain: null,
    });
    expect(entries[5]?.details).toEqual({
      require_for: true,
      former_require_for: false,
      for_domain: null,
      former_for_domain: ["a.test"],
    });
    expect(entries[7]).toMatchObject({ details: { successor_id: next.id, identity: identity.name } });
    expect(entries[13]).toMatchObject({ teamName: "renamed", details: {} });
    expect((entries[9]?.at ?? 0) - (entries[0]?.at ?? 0)).toBe(MINUTE);
  });

  test("the log can be read after an entry, or its newest entries, oldest first", async () => {
    await using place = await open();
    for (const name of ["a", "b", "c", "d"]) await addTeam(place, name);
    const [first, second, third, fourth] = await place.store.listAdminLog(ALL);
    expect(await place.store.listAdminLog({ ...ALL, afterId: second?.id })).toEqual([third, fourth] as never);
    expect(await place.store.listAdminLog({ ...ALL, limit: 1 })).toEqual([fourth] as never);
    expect(await place.store.listAdminLog({ ...ALL, afterId: first?.id, limit: 2 })).toEqual([third, fourth] as never);
    expect(await place.store.listAdminLog({ ...ALL, afterId: fourth?.id })).toEqual([]);
    await place.reopen();
    expect(await place.store.listAdminLog({ ...ALL, limit: 1 })).toEqual([fourth] as never);
  });

  test("inviting, signing out and removing people is logged, and what they do themselves is not", async () => {
    await using place = await open();
    const { store } = place;
    const ann = await addIdentity(place, await addTeam(place), "person");
    const times = { createdAt: place.clock.now(), expiresAt: place.clock.now() + DAY };
    await store.createSignInLink({ identity: ann, ...times }, hashOf("link"));
    await store.deleteSignInLink(hashOf("link"));
    await store.createSignInLink({ identity: ann, ...times }, hashOf("other"));
    await store.tradeSignIn(hashOf("other"), newSession(place, "session"));
    await store.deleteSession(hashOf("session"));
    await store.signOutPerson(ann.id);
    await store.disableIdentity(ann.id);
    const entries = (await store.listAdminLog(ALL)).slice(2);
    expect(entries.map(({ action }) => action)).toEqual([
      "person.invited",
      "person.invitation_withdrawn",
      "person.invited",
      "person.signed_out",
      "person.removed",
    ]);
    expect(entries.every(({ subjectId }) => subjectId === ann.id)).toBe(true);
  });
}

function describeTeams(open: OpenStore): void {
  test("a team's own quota replaces the server's from the next creation on, until it is removed", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const create = (quotaBytes: number) =>
      addSecret(place, teamId, { quotaBytes }).then(
        () => "created",
        (error: Error) => error.message,
      );
    expect(await create(2 ** 30)).toBe("created");
    expect(await place.store.setTeamQuota(teamId, 1000)).toMatchObject({ quotaBytes: 1000 });
    expect(await create(2 ** 30)).toBe("quota_exceeded");
    await place.store.setTeamQuota(teamId, 2 ** 30);
    expect(await create(1000)).toBe("created");
    expect(await place.store.findTeamUsage(teamId)).toMatchObject({ quotaBytes: 2 ** 30 });
    await place.store.setTeamQuota(teamId, null);
    expect(await create(1000)).toBe("quota_exceeded");
    expect(await place.store.setTeamQuota(place.ids.next("team"), 1)).toBeUndefined();
  });

  test("a team with live secrets or requests is closed only by force, and a closed one admits nobody", async () => {
    await using place = await open();
    const { store } = place;
    const teamId = await addTeam(place);
    const identity = await addIdentity(place, teamId);
    await store.createKey(newKey(place, identity), hashOf("key"));
    const request = await addRequest(place, teamId);
    expect(await store.closeTeam(teamId, false)).toBe("live");
    expect((await store.findKeyByHash(hashOf("key")))?.identity.disabledAt).toBeNull();
    await store.revokeRequest(teamId, request.id, null);
    const secret = await addSecret(place, teamId);
    expect(await store.closeTeam(teamId, false)).toBe("live");
    expect(await store.closeTeam(teamId, true)).toBe("closed");
    expect((await store.findKeyByHash(hashOf("key")))?.identity.disabledAt).toBe(place.clock.now());
    expect(await store.findSecret(teamId, secret.id)).toEqual(secret);
    expect(await store.closeTeam(place.ids.next("team"), true)).toBeUndefined();
  });

  test("a deleted team is erased, its log entries stay, and other teams are unchanged", async () => {
    await using place = await open();
    const { store } = place;
    const [teamId, others] = [await addTeam(place), await addTeam(place, "others")];
    const theirs = await addSecret(place, others);
    const identity = await addIdentity(place, teamId);
    await store.createKey(newKey(place, identity), hashOf("key"));
    for (let n = 0; n < 60; n++) await addSecret(place, teamId, { call: callOf(`call ${n}`) });
    const request = await addRequest(place, teamId);
    await store.closeTeam(teamId, true);
    while (await store.emptyTeam(teamId));
    expect(await store.findRequest(teamId, request.id)).toBeUndefined();
    // Only the events are left.
    const { storedBytes } = await store.findTeamUsage(teamId);
    expect(storedBytes).toBe(place.eventBytes * (await store.listEvents(teamId, undefined, 1000)).length);
    expect(await store.deleteTeam(teamId)).toBe(true);
    expect(await store.deleteTeam(teamId)).toBe(false);
    expect(await store.findTeam(teamId)).toBeUndefined();
    expect(await store.listIdentities(teamId)).toEqual([]);
    expect(await store.findKeyByHash(hashOf("key"))).toBeUndefined();
    expect(await store.listEvents(teamId, undefined, 10)).toEqual([]);
    expect(await store.findSecret(others, theirs.id)).toEqual(theirs);
    // Calls that were authenticated before that are refused; others of their batch are stored.
    const late = [addSecret(place, teamId), addRequest(place, teamId), addSecret(place, others)];
    const gone = { status: "rejected", reason: expect.objectContaining({ code: "credential_invalid" }) };
    expect(await Promise.allSettled(late)).toMatchObject([gone, gone, { status: "fulfilled" }]);
    const about = (await store.listAdminLog(ALL)).filter((entry) => entry.teamId === teamId);
    expect(about.at(-1)).toMatchObject({ action: "team.deleted", teamName: "team" });
    expect(about).toHaveLength(5);
  });

  test("secrets, requests and keys of a team are counted by state, and overdue ones as expired", async () => {
    await using place = await open();
    const { store } = place;
    const teamId = await addTeam(place);
    const identity = await addIdentity(place, teamId);
    const [live, ending] = [newKey(place, identity), newKey(place, identity)];
    await store.createKey(live, hashOf("live"));
    await store.createKey({ ...ending, expiresAt: place.clock.now() + MINUTE }, hashOf("ending"));
    await addIdentity(place, teamId, "person");
    const secret = await addSecret(place, teamId);
    await store.revokeSecret(teamId, secret.id, null);
    await addSecret(place, teamId, { expiresAt: place.clock.now() + MINUTE });
    await addSecret(place, teamId);
    await addRequest(place, teamId, { expiresAt: place.clock.now() + MINUTE });
    const counted = { teamId, automations: 1, people: 1 };
    expect(await store.countTeams()).toEqual([
      { ...counted, keys: 2, secrets: { available: 2, revoked: 1 }, requests: { open: 1 } },
    ]);
    place.time.advance(2 * MINUTE);
    expect(await store.countTeams()).toEqual([
      { ...counted, keys: 1, secrets: { available: 1, expired: 1, revoked: 1 }, requests: { expired: 1 } },
    ]);
  });
}
