import { expect, test } from "bun:test";
import { SCOPES } from "../../../src/contract/scopes.ts";
import { mailAccountOf } from "../../../src/domain/mails/accounts.ts";
import type { MailRecord } from "../../../src/domain/ports/mails.ts";
import { deriveCode } from "../../../src/domain/values/tokens.ts";
import { addIdentity, addTeam, DAY, hashOf, MINUTE, newSession } from "../../support/stores.ts";
import type { OpenStore, WorkingStore } from "../../support/stores.ts";

const SEED = "a seed";
const TEN_MINUTES = 10 * MINUTE;

/** Returns a mail with a code that isn't stored yet. */
function newMail({ clock }: WorkingStore, change: Partial<MailRecord> = {}): MailRecord {
  const [now, endsAt] = [clock.now(), clock.now() + TEN_MINUTES];
  const times = { createdAt: now, nextAt: now, endsAt, tries: 0 };
  return {
    id: "m",
    kind: "sign_in_code",
    address: "ann@a.test",
    language: "de",
    data: { seed: SEED },
    ...times,
    ...change,
  };
}

/** Begins a sign-in by mail under the name `name`. */
async function begin(place: WorkingStore, name: string, address = "ann@a.test"): Promise<void> {
  const expiresAt = place.clock.now() + TEN_MINUTES;
  const attempt = { purpose: "mail_sign_in", challenge: SEED, expiresAt, address } as const;
  await place.store.beginMailSignIn(attempt, hashOf(name), newMail(place, { id: name, address }));
}

/** Signs in with a code, with the attempt of the name `name`. */
function use(
  place: WorkingStore,
  name: string,
  code: string,
  domains: readonly { domain: string; team: string }[] = [],
) {
  const call = { attemptHash: hashOf(name), code, domains, newId: place.ids.next("identity"), maxTries: 5 };
  return place.store.signInWithCode(call, newSession(place, `session of ${place.ids.next("session")}`));
}

async function addPerson(place: WorkingStore, teamId: string, name: string, teamName = "team") {
  return await addIdentity(place, teamId, "person", { name, teamName });
}

/** The types of the events of a team. */
async function typesOf(place: WorkingStore, teamId: string) {
  return (await place.store.listEvents(teamId, undefined, 1000)).map(({ type }) => type);
}

export function describeMails(open: OpenStore): void {
  test("a mail waits until it is sent or given up, and is put off in between", async () => {
    await using place = await open();
    const first = newMail(place, { data: { seed: SEED, browser: "Firefox" } });
    const attempt = { purpose: "mail_sign_in", challenge: SEED, expiresAt: first.endsAt, address: null } as const;
    await place.store.beginMailSignIn(attempt, hashOf("first"), first);
    place.time.advance(1);
    await begin(place, "second");
    expect(await place.store.listDueMails(1)).toEqual([first]);
    const nextAt = place.clock.now() + MINUTE;
    await place.store.postponeMail("m", nextAt);
    expect((await place.store.listDueMails(10)).map(({ id }) => id)).toEqual(["second"]);
    await place.store.deleteMail("second");
    expect(await place.store.listDueMails(10)).toEqual([]);
    place.time.advance(MINUTE);
    await place.reopen();
    place.time.advance(MINUTE);
    expect(await place.store.listDueMails(10)).toMatchObject([{ ...first, nextAt, tries: 1 }]);
    const attemptOf = { ...attempt, expiresAt: place.clock.now() + MINUTE };
    const later = { nextAt: place.clock.now(), endsAt: place.clock.now() + DAY };
    await place.store.beginMailSignIn(attemptOf, hashOf("notice"), { ...first, id: "n", kind: "notices", nextAt: 0 });
    await place.store.beginMailSignIn(attemptOf, hashOf("code"), { ...first, id: "c", ...later });
    // Somebody waits for a code.
    expect((await place.store.listDueMails(10)).map(({ id }) => id)).toEqual(["m", "c", "n"]);
    expect((await place.store.listDueMails(1)).map(({ id }) => id)).toEqual(["m"]);
  });

  test("a code signs its person in once, and an attempt that is over nobody", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const ann = await addPerson(place, teamId, "ann@a.test");
    const code = deriveCode(SEED, teamId);
    await begin(place, "one");
    expect(await use(place, "another", code)).toBe("over");
    const signal = AbortSignal.abort();
    const call = { attemptHash: hashOf("one"), code, domains: [], newId: place.ids.next("identity"), maxTries: 5 };
    expect(await place.store.signInWithCode(call, newSession(place, "s"), signal)).toBe("abandoned");
    const both = await Promise.all([use(place, "one", code), use(place, "one", code)]);
    expect(both).toMatchObject([{ identity: ann, way: "mail" }, "over"]);
    await begin(place, "late");
    place.time.advance(TEN_MINUTES);
    expect(await use(place, "late", code)).toBe("over");
    expect(await typesOf(place, teamId)).toEqual(["person.signed_in"]);
  });

  test("the fifth wrong code ends the attempt, and is an event of the person", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    await addPerson(place, teamId, "ann@a.test");
    for (const name of ["known", "unknown"]) {
      await begin(place, name, name === "known" ? "ann@a.test" : "eve@a.test");
      for (let n = 0; n < 4; n++) expect(await use(place, name, "00000000")).toBe("wrong");
      expect(await typesOf(place, teamId)).toEqual(name === "known" ? [] : ["person.refused"]);
      expect(await use(place, name, "00000000")).toBe("wrong");
      expect(await use(place, name, deriveCode(SEED, teamId))).toBe("over");
      expect(await typesOf(place, teamId)).toEqual(["person.refused"]);
    }
  });

  test("an address is found in whatever case, in several teams, and not once it was removed", async () => {
    await using place = await open();
    const [one, two] = [await addTeam(place), await addTeam(place, "two")];
    const [first, second] = [
      await addPerson(place, one, "Ann@a.test"),
      await addPerson(place, two, "Ann@a.test", "two"),
    ];
    await addIdentity(place, await addTeam(place, "three"), "automation", { name: "ann@a.test" });
    const found = { address: "Ann@a.test", people: [first, second], teams: [] };
    expect(await place.store.findMailAccount("aNN@A.test", [])).toEqual(found);
    await begin(place, "of two", "ann@a.test");
    expect(await use(place, "of two", deriveCode(SEED, two))).toMatchObject({ identity: second });
    await place.store.disableIdentity(first.id);
    expect(await place.store.findMailAccount("ann@a.test", [])).toEqual({ ...found, people: [second] });
    await place.store.disableIdentity(second.id);
    expect(await place.store.findMailAccount("ann@a.test", [])).toBeUndefined();
  });

  test("a domain lets new addresses into its team when their code is typed, and nobody who was removed", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const domains = [{ domain: "A.test", team: "team" }];
    const gone = await addPerson(place, teamId, "Gone@a.test");
    await place.store.disableIdentity(gone.id);
    expect(await place.store.findMailAccount("gone@a.test", domains)).toBeUndefined();
    expect(await place.store.findMailAccount("new@b.test", domains)).toBeUndefined();
    expect(await place.store.findMailAccount("new@a.test.evil.test", domains)).toBeUndefined();
    expect(await place.store.findMailAccount("New@a.test", domains)).toMatchObject({
      address: "new@a.test",
      people: [],
      teams: [{ id: teamId }],
    });
    await begin(place, "new", "New@a.test");
    expect(await use(place, "new", "00000000", domains)).toBe("wrong");
    expect(await place.store.findIdentities("new@a.test", undefined)).toEqual([]);
    const signedIn = await use(place, "new", deriveCode(SEED, teamId), domains);
    const identity = { name: "new@a.test", kind: "person", teamId, scopes: [...SCOPES] };
    expect(signedIn).toMatchObject({ way: "mail", identity });
    await begin(place, "again", "NEW@a.test");
    const id = typeof signedIn === "string" ? "" : signedIn.identity.id;
    expect(await use(place, "again", deriveCode(SEED, teamId), domains)).toMatchObject({ identity: { id } });
    await begin(place, "gone", "gone@a.test");
    expect(await use(place, "gone", deriveCode(SEED, teamId), domains)).toBe("wrong");
  });

  test("an address that no person could have is let in by no domain", async () => {
    const team = { id: "t", name: "team", createdAt: 0, storedBytes: 0, quotaBytes: null, rules: null };
    for (const address of ['"a b"@a.test', "a@b@a.test", `${"x".repeat(64)}@a.test`, "<a@a.test>", ""]) {
      expect({ address, account: mailAccountOf(address, [], [team]) }).toEqual({ address, account: undefined });
    }
    expect(mailAccountOf("jörg@a.test", [], [team])?.teams).toEqual([team]);
  });
}
