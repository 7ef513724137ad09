import { expect, test } from "bun:test";
import type { Scope } from "../../../src/contract/scopes.ts";
import { keysOf, noticesOf } from "../../../src/domain/mails/notices.ts";
import type { MailRecord } from "../../../src/domain/ports/mails.ts";
import type { Notice } from "../../../src/domain/ports/notices.ts";
import { addIdentity, addTeam, DAY, hashOf, MINUTE, newKey, newRequest, newSecret } from "../../support/stores.ts";
import type { OpenStore, StoreUnderTest } from "../../support/stores.ts";

const READER = { language: "de", timeZone: "Europe/Berlin" } as const;
const ALL = { opened: true, ending: true, handedIn: true, asked: true } as const;
const HOUR = 60 * MINUTE;

/** A team with a person who wants all mails, and one who wants none. */
async function setUp(place: StoreUnderTest) {
  const teamId = await addTeam(place);
  const ann = await addIdentity(place, teamId, "person", { name: "ann@a.test" });
  const bob = await addIdentity(place, teamId, "person", { name: "bob@a.test" });
  await place.store.setNotices(ann.id, ALL, READER, "seed of ann");
  let round = 0;
  /** Queues what has happened, and takes the mails that are due by then out of the queue. */
  const collect = async (): Promise<MailRecord[]> => {
    round += 1;
    while (await place.store.queueNotices(teamId, `seed${round}`));
    const due = await place.store.listDueMails(1000);
    for (const { id } of due) await place.store.deleteMail(id);
    return due;
  };
  const send = async (createdBy: string | null, change: object = {}) => {
    const secret = newSecret(place, teamId, { createdBy, expiresAt: place.clock.now() + 7 * DAY, ...change });
    await place.store.createSecret(secret);
    return secret.record;
  };
  const claim = (id: string, actorId: string | null = null) =>
    place.store.claimSecret({ id, teamId, actorId, call: undefined });
  return { teamId, ann, bob, collect, send, claim };
}

/** The same, with people who may approve and want mails about that alone, in place of Ann. */
async function setUpApprovers(place: StoreUnderTest) {
  const base = await setUp(place);
  const { teamId, ann } = base;
  await place.store.setNotices(ann.id, { ...ALL, asked: false }, READER, "seed of ann");
  const add = async (name: string, scopes: readonly Scope[] = ["secrets:approve"]) => {
    const person = await addIdentity(place, teamId, "person", { name, scopes });
    await place.store.setNotices(person.id, { asked: true }, READER, `seed of ${name}`);
    return person;
  };
  const sender = await add("sender@a.test");
  const asked = await base.send(sender.id, { reference: "OPS-1", approval: "team", addressees: "*@a.test" });
  const ask = async (secret: { readonly id: string } = asked, of: Partial<Asking> = {}) => {
    const { address = "eve@a.test", askerId = null } = of;
    const id = place.ids.next("ask");
    const made = { id, tokenHash: hashOf(id).toHex(), words: "maple river nine", askerId };
    const outcome = await place.store.askApproval({
      id: secret.id,
      teamId,
      ask: made,
      address,
      quotaBytes: Infinity,
    });
    if (outcome?.kind !== "asked") throw new Error(`it was ${outcome?.kind}`);
    return outcome.ask;
  };
  const decide = (askId: string, decider: string, state: "approved" | "refused" = "refused") =>
    place.store.decideAsk({ id: asked.id, teamId, askId, state, decider: { id: decider, address: undefined } });
  return { ...base, sender, add, asked, ask, decide };
}

interface Asking {
  readonly address: string;
  readonly askerId: string | null;
}

/** Who gets mails, and about which asks. */
const asksIn = (mails: readonly MailRecord[]) =>
  mails
    .map(({ address, data }) => [
      address,
      ...noticesOf(data).notices.map((notice) => (notice.kind === "asked" ? notice.ask.id : notice.kind)),
    ])
    .toSorted(([one = ""], [other = ""]) => one.localeCompare(other));

const toldBy = (mails: readonly MailRecord[]) => mails.flatMap(({ data }) => noticesOf(data).notices);

export function describeNotices(open: OpenStore): void {
  test("who wants it gets a mail when their secret is opened, once, and not about what they open themselves", async () => {
    await using place = await open();
    const { teamId, ann, bob, collect, send, claim } = await setUp(place);
    const sent = await send(ann.id, { reference: "OPS-1" });
    const [own, ofBob, ofNobody] = [await send(ann.id), await send(bob.id), await send(null)];
    expect(await collect()).toEqual([]);
    place.time.advance(MINUTE);
    await claim(sent.id);
    await claim(own.id, ann.id);
    for (const { id } of [ofBob, ofNobody]) await claim(id);
    const now = place.clock.now();
    const [mail, ...more] = await collect();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ kind: "notices", address: "ann@a.test", language: "de", nextAt: now, tries: 0 });
    expect(mail?.endsAt).toBe(now + DAY);
    expect(mail?.data["identity"]).toBe(ann.id);
    const notice = { kind: "opened", id: sent.id, reference: "OPS-1", createdAt: sent.createdAt } as const;
    expect(toldBy(mail ? [mail] : [])).toEqual([{ ...notice, at: expect.any(Number) }]);
    await place.reopen();
    expect(await collect()).toEqual([]);
    expect(await place.store.listNoticeTeams()).toEqual([teamId]);
  });

  test("what is handed in is mailed to the person who asked", async () => {
    await using place = await open();
    const { teamId, ann, collect } = await setUp(place);
    const request = newRequest(place, teamId, { createdBy: ann.id });
    await place.store.createRequest(request);
    const secret = newSecret(place, teamId, { requestId: request.record.id, createdBy: null });
    await place.store.submitSecret({ ...secret, requestId: request.record.id });
    const { id, createdAt } = request.record;
    expect(toldBy(await collect())).toMatchObject([{ kind: "handed_in", id, createdAt }]);
  });

  test("an unopened secret is mentioned once, a day before its end, unless it lives for no longer", async () => {
    await using place = await open();
    const { ann, bob, collect, send, claim } = await setUp(place);
    const late = await send(ann.id, { expiresAt: place.clock.now() + 3 * DAY });
    const opened = await send(ann.id, { expiresAt: place.clock.now() + 3 * DAY, maxClaims: 2 });
    await send(ann.id, { expiresAt: place.clock.now() + DAY });
    await send(bob.id, { expiresAt: place.clock.now() + 3 * DAY });
    await collect();
    // It would seem to be new, and nobody can have opened it yet.
    place.time.advance(MINUTE / 2);
    await send(ann.id, { expiresAt: place.clock.now() + DAY });
    place.time.advance(MINUTE / 2);
    expect(await collect()).toEqual([]);
    await claim(opened.id);
    await collect();
    place.time.advance(2 * DAY - 2 * MINUTE);
    expect(toldBy(await collect())).toEqual([]);
    place.time.advance(MINUTE);
    const expected = { kind: "ending", id: late.id, createdAt: late.createdAt, at: late.expiresAt };
    expect(toldBy(await collect())).toMatchObject([expected]);
    place.time.advance(HOUR);
    expect(toldBy(await collect())).toEqual([]);
  });

  test("a switch counts for later events, and an event older than a day is not mailed", async () => {
    await using place = await open();
    const { ann, bob, collect, send, claim } = await setUp(place);
    const change = { opened: false, ending: false, handedIn: false, asked: false };
    expect(await place.store.setNotices(ann.id, change, READER, "other")).toMatchObject({
      ...change,
      offSeed: "seed of ann",
    });
    expect(await collect()).toEqual([]);
    expect(await place.store.listNoticeTeams()).toEqual([]);
    const [first, second, third] = [await send(bob.id), await send(bob.id), await send(bob.id)];
    await claim(first.id);
    await place.store.setNotices(bob.id, { opened: true }, READER, "seed of bob");
    await claim(second.id);
    expect(toldBy(await collect())).toMatchObject([{ id: second.id }]);
    await claim(third.id);
    place.time.advance(DAY + MINUTE);
    expect(await collect()).toEqual([]);
    const [fourth, fifth] = [await send(ann.id), await send(ann.id)];
    await place.store.setNotices(bob.id, { opened: false }, READER, "unused");
    await claim(fourth.id);
    await place.store.setNotices(ann.id, { opened: true }, READER, "unused");
    await claim(fifth.id);
    expect(toldBy(await collect())).toMatchObject([{ id: fifth.id }]);
  });

  test("an ask is mailed at once, and once, to the people who want it and may decide it", async () => {
    await using place = await open();
    const { ann, bob, sender, add, asked, ask, send, collect } = await setUpApprovers(place);
    const [first, second] = [await add("first@a.test"), await add("second@a.test")];
    await add("other@a.test", ["secrets:read"]);
    expect(await collect()).toEqual([]);
    place.time.advance(MINUTE);
    const byLink = await ask();
    const now = place.clock.now();
    const mails = await collect();
    expect(asksIn(mails)).toEqual([
      [first.name, byLink.id],
      [second.name, byLink.id],
    ]);
    const notice: Notice = {
      kind: "asked",
      id: asked.id,
      reference: "OPS-1",
      createdAt: asked.createdAt,
      at: byLink.askedAt + HOUR,
      ask: { id: byLink.id, words: "maple river nine", address: "eve@a.test" },
    };
    for (const mail of mails) {
      expect(toldBy([mail])).toEqual([notice]);
      expect(mail).toMatchObject({ kind: "notices", language: "de", nextAt: now, endsAt: notice.at });
    }
    await place.reopen();
    expect(await collect()).toEqual([]);
    // Nobody approves their own, by their identity or by their address.
    const own = await ask(asked, { askerId: first.id });
    expect(asksIn(await collect())).toEqual([[second.name, own.id]]);
    const proven = await ask(asked, { address: "Second@A.test" });
    expect(asksIn(await collect())).toEqual([[first.name, proven.id]]);
    // The sender alone decides this one.
    const bySender = await ask(await send(sender.id, { approval: "sender" }));
    expect(asksIn(await collect())).toEqual([[sender.name, bySender.id]]);
    for (const creator of [ann, bob]) await ask(await send(creator.id, { approval: "sender" }));
    expect(await collect()).toEqual([]);
  });

  test("an ask that is over when its mail could be queued isn't mailed, and one that goes on is mailed once", async () => {
    await using place = await open();
    const { teamId, add, ask, asked, decide, collect, claim } = await setUpApprovers(place);
    const { id, name } = await add("first@a.test");
    await decide((await ask()).id, id);
    expect(await collect()).toEqual([]);
    const approved = await ask();
    await decide(approved.id, id, "approved");
    expect(await collect()).toEqual([]);
    expect(await claim(asked.id, null)).toMatchObject({ kind: "unproven" });
    await decide(approved.id, id);
    const later = await ask();
    expect((await ask()).id).toBe(later.id);
    expect(asksIn(await collect())).toEqual([[name, later.id]]);
    await decide(later.id, id);
    await ask();
    place.time.advance(HOUR);
    expect(await collect()).toEqual([]);
    await ask();
    await place.store.revokeSecret(teamId, asked.id, null);
    expect(await collect()).toEqual([]);
  });

  test("what was queued about an ask holds while it waits, for a person who may decide it", async () => {
    await using place = await open();
    const { sender, add, ask, decide, collect } = await setUpApprovers(place);
    const { id } = await add("first@a.test");
    const current = async (person: string, notices: readonly Notice[]) =>
      (await place.store.listCurrentNotices(person, notices)).map(({ kind }) => kind);
    const first = await ask();
    const notices: Notice[] = [
      { kind: "opened", id: "sec_1", reference: null, createdAt: 1, at: 2 },
      ...toldBy(await collect()),
    ];
    expect(notices).toHaveLength(2);
    expect(await current(id, notices)).toEqual(["opened", "asked"]);
    expect(await current(sender.id, notices)).toEqual(["opened"]);
    expect(await current("idn_unknown", notices)).toEqual([]);
    await decide(first.id, id);
    expect(await current(id, notices)).toEqual(["opened"]);
    await ask();
    const again = toldBy(await collect());
    expect(await current(id, again)).toEqual(["asked"]);
    await place.store.setScopes(id, ["secrets:read"]);
    expect(await current(id, again)).toEqual([]);
    await place.store.setScopes(id, ["secrets:approve"]);
    place.time.advance(HOUR);
    expect(await current(id, again)).toEqual([]);
  });

  test("asks that are over leave room in a gathered mail for one that waits", async () => {
    await using place = await open();
    const { add, ask, decide, collect } = await setUpApprovers(place);
    const { id, name } = await add("first@a.test");
    for (let n = 0; n < 25; n++) {
      const asked = await ask();
      expect(await collect()).toHaveLength(n < 5 ? 1 : 0);
      await decide(asked.id, id);
    }
    const last = await ask();
    expect(await collect()).toEqual([]);
    place.time.advance(MINUTE);
    const [gathered, ...more] = await collect();
    expect(more).toEqual([]);
    expect(asksIn(gathered ? [gathered] : [])).toEqual([[name, last.id]]);
    expect(noticesOf(gathered?.data ?? {}).more).toBe(0);
  });

  test("after five mails in a minute the others come together, and the next minute's too", async () => {
    await using place = await open();
    const { ann, collect, send, claim } = await setUp(place);
    const openNew = async (count: number) => {
      for (let n = 0; n < count; n++) await claim((await send(ann.id)).id);
    };
    await openNew(30);
    expect((await collect()).map(({ data }) => noticesOf(data).notices.length)).toEqual([1, 1, 1, 1, 1]);
    place.time.advance(MINUTE - 1);
    expect(await collect()).toEqual([]);
    place.time.advance(1);
    const [gathered, ...more] = await collect();
    expect(more).toEqual([]);
    expect(noticesOf(gathered?.data ?? {})).toMatchObject({ notices: { length: 20 }, more: 5 });
    await openNew(2);
    expect(await collect()).toEqual([]);
    place.time.advance(MINUTE);
    expect(toldBy(await collect())).toHaveLength(2);
    place.time.advance(2 * MINUTE);
    await openNew(1);
    expect(toldBy(await collect())).toHaveLength(1);
  });

  test("mails are switched off kind by kind, on with a new seed, and a removed person's switches are gone", async () => {
    await using place = await open();
    const { ann, bob, collect, send, claim } = await setUp(place);
    await place.store.switchNoticesOff(bob.id, ["opened"]);
    expect(await place.store.findNotices(ann.id)).toMatchObject({ ...ALL, offSeed: "seed of ann" });
    await place.store.switchNoticesOff(ann.id, ["opened", "ending"]);
    const left = { opened: false, ending: false, handedIn: true, asked: true };
    expect(await place.store.findNotices(ann.id)).toMatchObject({ ...left, offSeed: "seed of ann" });
    expect(await place.store.setNotices(ann.id, { handedIn: true }, READER, "a new seed")).toMatchObject({
      ...left,
      offSeed: "a new seed",
    });
    await claim((await send(ann.id)).id);
    expect(await collect()).toEqual([]);
    await place.store.disableIdentity(ann.id);
    expect(await place.store.findNotices(ann.id)).toBeUndefined();
    expect(await place.store.setNotices(ann.id, ALL, READER, "again")).toBeUndefined();
    await place.store.enableIdentity(ann.id);
    expect(await place.store.findNotices(ann.id)).toBeUndefined();
  });

  test("a team with such people can be deleted", async () => {
    await using place = await open();
    const { teamId, ann } = await setUp(place);
    expect(await place.store.closeTeam(teamId, true)).toBe("closed");
    while (await place.store.emptyTeam(teamId));
    expect(await place.store.deleteTeam(teamId)).toBe(true);
    expect(await place.store.findNotices(ann.id)).toBeUndefined();
  });

  test("keys that end within a week are mailed to the contact, each once", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const ci = await addIdentity(place, teamId, "automation", { name: "ci" });
    await place.store.keepTeamQuota(1000);
    const addKey = async (days: number | null, change: object = {}) => {
      const expiresAt = days === null ? null : place.clock.now() + days * DAY;
      const key = { ...newKey(place, ci), expiresAt, ...change };
      await place.store.createKey(key, hashOf(key.id));
      return key;
    };
    const [soon, later] = [await addKey(3), await addKey(8)];
    await addKey(null);
    await place.store.revokeKey((await addKey(2)).id);
    const due = async (id: string) => {
      await place.store.queueKeyEnds("help@a.test", id);
      const mails = await place.store.listDueMails(10);
      for (const mail of mails) await place.store.deleteMail(mail.id);
      return mails.map(({ kind, address, data }) => ({ kind, address, keys: keysOf(data) }));
    };
    const mailOf = ({ id, expiresAt }: typeof soon) => [
      {
        kind: "key_ends" as const,
        address: "help@a.test",
        keys: [{ id, identity: "ci", team: "team", expiresAt: expiresAt ?? 0 }],
      },
    ];
    expect(await due("one")).toEqual(mailOf(soon));
    expect(await due("two")).toEqual([]);
    place.time.advance(DAY);
    expect(await due("three")).toEqual(mailOf(later));
  });
}
