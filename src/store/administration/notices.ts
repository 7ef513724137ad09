import { and, asc, desc, eq, getTableColumns, gt, inArray, isNull, lte, or } from "drizzle-orm";
import type { NoticeKind } from "../../contract/states.ts";
import {
  ENDING_MS,
  KEY_ENDING_MS,
  nextBurst,
  NOTICE_PATIENCE_MS,
  noticesOf,
  offChange,
  toKeyData,
  toNoticeData,
  wants,
  wantsAny,
  withNotice,
} from "../../domain/mails/notices.ts";
import type {
  EndingKey,
  Notice,
  NoticePlace,
  NoticeReader,
  NoticeSwitches,
  WantedNotices,
} from "../../domain/ports/notices.ts";
import { rowsOf, timeOf } from "./work.ts";
import type { ChangeContext, ReadContext, Work } from "./work.ts";

/** The number of events that are read in one transaction. */
const PAGE_SIZE = 200;
const NEW = { opened: false, ending: false, handedIn: false, burstAt: 0, burstCount: 0 } as const;

/** A person who wants mails. */
type Wanting = NoticeSwitches & { readonly address: string };

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
  const { found, lastEventId, hasMore } = yield* readEvents(context, place, now);
  const endsUntil = Math.max(place.endsUntil, now + ENDING_MS);
  const ending = yield* readEnding(context, place, endsUntil);
  let number = 0;
  for (const { person, notice } of [...found, ...ending]) {
    const wanting = people.get(person);
    if (!wanting || !wants(wanting, notice.kind)) continue;
    number += 1;
    people.set(person, yield* queue(context, wanting, notice, { now, id: `${seed}.${number}` }));
  }
  if (lastEventId !== place.lastEventId || endsUntil !== place.endsUntil) {
    yield* rowsOf(orm.update(noticePlaces).set({ lastEventId, endsUntil }).where(eq(noticePlaces.teamId, teamId)));
  }
  return hasMore;
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

/** A notice, and the person who sent the secret or asked for it. */
interface Found {
  readonly person: string;
  readonly notice: Notice;
}

/** Reads what has happened in a team after `place`. */
function* readEvents(
  { orm, tables }: ReadContext,
  { teamId, lastEventId }: NoticePlace,
  now: number,
): Work<{ readonly found: Found[]; readonly lastEventId: string; readonly hasMore: boolean }> {
  const { events, requests, secrets } = tables;
  const page = yield* rowsOf(
    orm
      .select(columnsOf(events))
      .from(events)
      .where(and(eq(events.teamId, teamId), gt(events.id, lastEventId)))
      .orderBy(asc(events.id))
      .limit(PAGE_SIZE),
  );
  const recent = page.filter(({ createdAt }) => createdAt > now - NOTICE_PATIENCE_MS);
  const claimed = recent.flatMap(({ type, secretId }) => (type === "secret.claimed" && secretId ? [secretId] : []));
  const asked = recent.flatMap(({ type, requestId }) => (type === "secret.created" && requestId ? [requestId] : []));
  const sent = claimed.length === 0 ? [] : yield* rowsOf(selectMade(orm, secrets, claimed));
  const open = asked.length === 0 ? [] : yield* rowsOf(selectMade(orm, requests, asked));
  const made = new Map([...sent, ...open].map((each) => [each.id, each]));
  const found = recent.flatMap(({ type, secretId, requestId, actorId, reference, createdAt }): Found[] => {
    const kind: NoticeKind | undefined =
      type === "secret.claimed" ? "opened" : type === "secret.created" && requestId ? "handed_in" : undefined;
    const thing = made.get((kind === "opened" ? secretId : requestId) ?? "");
    // What people do themselves is no news to them.
    if (!kind || !thing?.createdBy || thing.createdBy === actorId) return [];
    const notice = { kind, id: thing.id, reference, createdAt: thing.createdAt, at: createdAt };
    return [{ person: thing.createdBy, notice }];
  });
  return { found, lastEventId: page.at(-1)?.id ?? lastEventId, hasMore: page.length === PAGE_SIZE };
}

/** Reads the secrets of a team that nobody has opened and that end after `place` and before `until`. */
function* readEnding({ orm, tables: { secrets } }: ReadContext, place: NoticePlace, until: number): Work<Found[]> {
  if (until <= place.endsUntil) return [];
  const rows = yield* rowsOf(
    orm
      .select({
        id: secrets.id,
        createdBy: secrets.createdBy,
        createdAt: secrets.createdAt,
        reference: secrets.reference,
        expiresAt: secrets.expiresAt,
      })
      .from(secrets)
      .where(
        and(
          eq(secrets.teamId, place.teamId),
          eq(secrets.state, "available"),
          eq(secrets.claims, 0),
          // By the index that the sweeper has. Of an available secret both times are the same.
          gt(secrets.dueAt, place.endsUntil),
          lte(secrets.dueAt, until),
        ),
      )
      .orderBy(asc(secrets.dueAt)),
  );
  return rows.flatMap(({ id, createdBy, createdAt, reference, expiresAt }): Found[] =>
    createdBy === null || expiresAt - createdAt <= ENDING_MS
      ? []
      : [{ person: createdBy, notice: { kind: "ending", id, reference, createdAt, at: expiresAt } }],
  );
}

/** Queues a notice, in a mail of its own or with those that are being gathered. Returns the person after that. */
function* queue(
  { orm, tables: { mails, noticeSwitches } }: ChangeContext,
  person: Wanting,
  notice: Notice,
  { now, id }: { readonly now: number; readonly id: string },
): Work<Wanting> {
  const { address, language, identityId } = person;
  const { sendAt, ...burst } = nextBurst(person, now);
  const own = eq(noticeSwitches.identityId, identityId);
  yield* rowsOf(orm.update(noticeSwitches).set(burst).where(own));
  const gatheredId = `${identityId}.${burst.burstAt}`;
  const [gathered] = sendAt === now ? [] : yield* rowsOf(orm.select().from(mails).where(eq(mails.id, gatheredId)));
  if (gathered) {
    const data = toNoticeData(identityId, withNotice(noticesOf(gathered.data), notice));
    yield* rowsOf(orm.update(mails).set({ data }).where(eq(mails.id, gatheredId)));
  } else {
    const times = { createdAt: now, nextAt: sendAt, endsAt: now + NOTICE_PATIENCE_MS, tries: 0 };
    const data = toNoticeData(identityId, { notices: [notice], more: 0 });
    const kind = "notices";
    const mailId = sendAt === now ? id : gatheredId;
    yield* rowsOf(orm.insert(mails).values({ id: mailId, kind, address, language, data, ...times }));
  }
  return { ...person, ...burst };
}

function selectMade(orm: ReadContext["orm"], table: ReadContext["tables"]["secrets" | "requests"], ids: string[]) {
  const { id, createdBy, createdAt } = table as ReadContext["tables"]["requests"];
  return orm.select({ id, createdBy, createdAt }).from(table).where(inArray(id, ids));
}

function columnsOf({ id, type, secretId, requestId, actorId, reference, createdAt }: ReadContext["tables"]["events"]) {
  return { id, type, secretId, requestId, actorId, reference, createdAt };
}

/** The people of a team who want mails. */
function* selectWanting(context: ReadContext, teamId: string): Work<Wanting[]> {
  const { identities, noticeSwitches } = context.tables;
  const { opened, ending, handedIn } = noticeSwitches;
  const wanted = [opened, ending, handedIn].map((column) => eq(column, true));
  return yield* rowsOf(
    context.orm
      .select({ ...getTableColumns(noticeSwitches), address: identities.name })
      .from(noticeSwitches)
      .innerJoin(identities, eq(noticeSwitches.identityId, identities.id))
      .where(and(eq(identities.teamId, teamId), isNull(identities.disabledAt), or(...wanted))),
  );
}
