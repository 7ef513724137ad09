import { and, asc, desc, eq, getTableColumns, gt, isNull, lte, or } from "drizzle-orm";
import type { NoticeKind } from "../../contract/states.ts";
import {
  ENDING_MS,
  KEY_ENDING_MS,
  nextBurst,
  NOTICE_PATIENCE_MS,
  noticesOf,
  offChange,
  patienceFor,
  toKeyData,
  toNoticeData,
  wants,
  wantsAny,
  withNotice,
} from "../../domain/mails/notices.ts";
import type { EndingKey, Notice, NoticeReader, NoticeSwitches, WantedNotices } from "../../domain/ports/notices.ts";
import { readEnding, readEvents, selectCurrent } from "./notice-reads.ts";
import type { Wanting } from "./notice-reads.ts";
import { rowsOf, timeOf } from "./work.ts";
import type { ChangeContext, ReadContext, Work } from "./work.ts";

const NEW = { opened: false, ending: false, handedIn: false, asked: false, burstAt: 0, burstCount: 0 } as const;

export function* findNotices(context: ReadContext, identityId: string): Work<NoticeSwitches | undefined> {
  const { identities, noticeSwitches } = context.tables;
  const [switches] = yield* rowsOf(
    context.orm
      .select(getTableColumns(noticeSwitches))
      .from(noticeSwitches)
      .innerJoin(identities, eq(noticeSwitches.identityId, identities.id))
      .where(and(eq(noticeSwitches.identityId, identityId), isNull(identities.disabledAt))),
  );
  return switches;
}

export function* setNotices(
  context: ChangeContext,
  identityId: string,
  change: Partial<WantedNotices>,
  reader: NoticeReader,
  offSeed: string,
): Work<NoticeSwitches | undefined> {
  const { orm, tables } = context;
  const { identities, noticeSwitches } = tables;
  const isActive = and(eq(identities.id, identityId), eq(identities.kind, "person"), isNull(identities.disabledAt));
  const [person] = yield* rowsOf(orm.select({ teamId: identities.teamId }).from(identities).where(isActive));
  if (!person) return undefined;
  const before = yield* findNotices(context, identityId);
  if (!before || !wantsAny(before)) yield* beginPlace(context, person.teamId);
  const isOn = Object.values(change).includes(true);
  const after = {
    ...NEW,
    identityId,
    ...before,
    ...change,
    ...reader,
    offSeed: isOn || !before ? offSeed : before.offSeed,
  };
  yield* rowsOf(
    orm.insert(noticeSwitches).values(after).onConflictDoUpdate({ target: noticeSwitches.identityId, set: after }),
  );
  return after;
}

export function* switchNoticesOff(
  { orm, tables: { noticeSwitches } }: ChangeContext,
  identityId: string,
  kinds: readonly NoticeKind[],
): Work<void> {
  yield* rowsOf(orm.update(noticeSwitches).set(offChange(kinds)).where(eq(noticeSwitches.identityId, identityId)));
}

/** Deletes the switches of a person. Does nothing without any. */
export function* removeNotices({ orm, tables: { noticeSwitches } }: ChangeContext, identityId: string): Work<void> {
  yield* rowsOf(orm.delete(noticeSwitches).where(eq(noticeSwitches.identityId, identityId)));
}

export function* listNoticeTeams({ orm, tables: { noticePlaces } }: ReadContext): Work<string[]> {
  const rows = yield* rowsOf(orm.select({ teamId: noticePlaces.teamId }).from(noticePlaces));
  return rows.map(({ teamId }) => teamId);
}

export function* queueNotices(context: ChangeContext, teamId: string, seed: string): Work<boolean> {
  const { orm, tables } = context;
  const { noticePlaces } = tables;
  const now = yield* timeOf(context);
  const [place] = yield* rowsOf(orm.select().from(noticePlaces).where(eq(noticePlaces.teamId, teamId)));
  if (!place) return false;
  const people = new Map((yield* selectWanting(context, teamId)).map((person) => [person.identityId, person]));
  if (people.size === 0) {
    yield* rowsOf(orm.delete(noticePlaces).where(eq(noticePlaces.teamId, teamId)));
    return false;
  }
  const { found, lastEventId, hasMore } = yield* readEvents(context, place, [...people.values()], now);
  const endsUntil = Math.max(place.endsUntil, now + ENDING_MS);
  const ending = yield* readEnding(context, place, endsUntil);
  let number = 0;
  for (const { person, notice } of [...found, ...ending]) {
    const wanting = people.get(person);
    if (!wanting || !wants(wanting, notice.kind)) continue;
    number += 1;
    const id = `${seed}.${number}`;
    people.set(person, yield* queue(context, { teamId, person: wanting }, notice, { now, id }));
  }
  if (lastEventId !== place.lastEventId || endsUntil !== place.endsUntil) {
    yield* rowsOf(orm.update(noticePlaces).set({ lastEventId, endsUntil }).where(eq(noticePlaces.teamId, teamId)));
  }
  return hasMore;
}

export function* listCurrentNotices(
  context: ReadContext,
  identityId: string,
  notices: readonly Notice[],
): Work<Notice[]> {
  const { id, teamId, name, scopes } = context.tables.identities;
  const select = context.orm.select({ id, teamId, name, scopes }).from(context.tables.identities);
  const [person] = yield* rowsOf(select.where(eq(id, identityId)));
  if (!person) return [];
  return yield* selectCurrent(context, { teamId: person.teamId, person }, notices, yield* timeOf(context));
}

export function* queueKeyEnds(context: ChangeContext, address: string, id: string): Work<void> {
  const { orm, tables } = context;
  const { apiKeys, identities, mails, serverSettings, teams } = tables;
  const now = yield* timeOf(context);
  const [settings] = yield* rowsOf(orm.select().from(serverSettings));
  if (!settings) return;
  const until = now + KEY_ENDING_MS;
  const isDue = and(
    gt(apiKeys.expiresAt, Math.max(now, settings.keyEndsUntil)),
    lte(apiKeys.expiresAt, until),
    isNull(apiKeys.revokedAt),
    isNull(apiKeys.successorId),
    isNull(identities.disabledAt),
  );
  const rows = yield* rowsOf(
    orm
      .select({ id: apiKeys.id, identity: identities.name, team: teams.name, expiresAt: apiKeys.expiresAt })
      .from(apiKeys)
      .innerJoin(identities, eq(apiKeys.identityId, identities.id))
      .innerJoin(teams, eq(identities.teamId, teams.id))
      .where(isDue)
      .orderBy(asc(apiKeys.expiresAt)),
  );
  yield* rowsOf(orm.update(serverSettings).set({ keyEndsUntil: until }).where(eq(serverSettings.id, settings.id)));
  if (rows.length === 0) return;
  const keys = rows.flatMap(({ expiresAt, ...key }): EndingKey[] =>
    expiresAt === null ? [] : [{ ...key, expiresAt }],
  );
  const times = { createdAt: now, nextAt: now, endsAt: now + NOTICE_PATIENCE_MS, tries: 0 };
  yield* rowsOf(
    orm.insert(mails).values({ id, kind: "key_ends", address, language: "en", data: toKeyData(keys), ...times }),
  );
}

/** Has a team read from now on, unless it is read already for another person. */
function* beginPlace(context: ChangeContext, teamId: string): Work<void> {
  const { orm, tables } = context;
  const { events, noticePlaces } = tables;
  if ((yield* selectWanting(context, teamId)).length > 0) return;
  const [last] = yield* rowsOf(
    orm.select({ id: events.id }).from(events).where(eq(events.teamId, teamId)).orderBy(desc(events.id)).limit(1),
  );
  const set = { lastEventId: last?.id ?? "", endsUntil: (yield* timeOf(context)) + ENDING_MS };
  yield* rowsOf(
    orm
      .insert(noticePlaces)
      .values({ teamId, ...set })
      .onConflictDoUpdate({ target: noticePlaces.teamId, set }),
  );
}

/** Queues a notice, in a mail of its own or with those that are being gathered. Returns the person after that. */
function* queue(
  context: ChangeContext,
  { teamId, person }: { readonly teamId: string; readonly person: Wanting },
  notice: Notice,
  { now, id }: { readonly now: number; readonly id: string },
): Work<Wanting> {
  const { orm, tables } = context;
  const { mails, noticeSwitches } = tables;
  const { name: address, language, identityId } = person;
  const { sendAt, ...burst } = nextBurst(person, now);
  const own = eq(noticeSwitches.identityId, identityId);
  yield* rowsOf(orm.update(noticeSwitches).set(burst).where(own));
  const endsAt = patienceFor(notice, now);
  const gatheredId = `${identityId}.${burst.burstAt}`;
  const [gathered] = sendAt === now ? [] : yield* rowsOf(orm.select().from(mails).where(eq(mails.id, gatheredId)));
  if (gathered) {
    const before = noticesOf(gathered.data);
    // Asks that are over take the place of none that waits.
    const notices = yield* selectCurrent(context, { teamId, person }, before.notices, now);
    const data = toNoticeData(identityId, withNotice({ ...before, notices }, notice));
    const latest = Math.max(gathered.endsAt, endsAt);
    yield* rowsOf(orm.update(mails).set({ data, endsAt: latest }).where(eq(mails.id, gatheredId)));
  } else {
    const times = { createdAt: now, nextAt: sendAt, endsAt, tries: 0 };
    const data = toNoticeData(identityId, { notices: [notice], more: 0 });
    const kind = "notices";
    const mailId = sendAt === now ? id : gatheredId;
    yield* rowsOf(orm.insert(mails).values({ id: mailId, kind, address, language, data, ...times }));
  }
  return { ...person, ...burst };
}

/** The people of a team who want mails. */
function* selectWanting(context: ReadContext, teamId: string): Work<Wanting[]> {
  const { identities, noticeSwitches } = context.tables;
  const { opened, ending, handedIn, asked } = noticeSwitches;
  const wanted = [opened, ending, handedIn, asked].map((column) => eq(column, true));
  const { id, name, scopes } = identities;
  return yield* rowsOf(
    context.orm
      .select({ ...getTableColumns(noticeSwitches), id, name, scopes })
      .from(noticeSwitches)
      .innerJoin(identities, eq(noticeSwitches.identityId, identities.id))
      .where(and(eq(identities.teamId, teamId), isNull(identities.disabledAt), or(...wanted))),
  );
}
