import { and, asc, eq, gt, inArray, lte } from "drizzle-orm";
import type { NoticeKind } from "../../contract/states.ts";
import { askNotice, ENDING_MS, NOTICE_PATIENCE_MS, wants } from "../../domain/mails/notices.ts";
import type { Approver, AskedSecret } from "../../domain/mails/notices.ts";
import type { Notice, NoticePlace, NoticeSwitches } from "../../domain/ports/notices.ts";
import { rowsOf } from "./work.ts";
import type { ReadContext, Work } from "./work.ts";

/** The number of events that are read in one transaction. */
const PAGE_SIZE = 200;
/** A person who wants mails. */
export type Wanting = NoticeSwitches & Approver;

/** A notice, and the person it is for. */
interface Found {
  readonly person: string;
  readonly notice: Notice;
}

/** Reads what has happened in a team after `place`, as far as it is for `people`. */
export function* readEvents(
  context: ReadContext,
  { teamId, lastEventId }: NoticePlace,
  people: readonly Wanting[],
  now: number,
): Work<{ readonly found: Found[]; readonly lastEventId: string; readonly hasMore: boolean }> {
  const { orm, tables } = context;
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
  const handedIn = recent.flatMap(({ type, requestId }) => (type === "secret.created" && requestId ? [requestId] : []));
  const sent = claimed.length === 0 ? [] : yield* rowsOf(selectMade(orm, secrets, claimed));
  const open = handedIn.length === 0 ? [] : yield* rowsOf(selectMade(orm, requests, handedIn));
  const made = new Map([...sent, ...open].map((each) => [each.id, each]));
  const approvers = people.filter((person) => wants(person, "asked"));
  const asked =
    approvers.length === 0 ? [] : recent.flatMap(({ ask, secretId }) => (ask && secretId ? [secretId] : []));
  const secretsAsked = yield* selectAsked(context, teamId, asked);
  const found = recent.flatMap(({ type, secretId, requestId, actorId, reference, createdAt, ask }): Found[] => {
    if (type === "secret.approval_asked") {
      const secret = secretsAsked.get(secretId ?? "");
      const [askId = ""] = ask?.split(" ") ?? [];
      return approvers.flatMap((person) => {
        const notice = secret && askNotice(secret, askId, person, now);
        return notice ? [{ person: person.id, notice }] : [];
      });
    }
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
export function* readEnding(
  { orm, tables: { secrets } }: ReadContext,
  place: NoticePlace,
  until: number,
): Work<Found[]> {
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

function selectMade(orm: ReadContext["orm"], table: ReadContext["tables"]["secrets" | "requests"], ids: string[]) {
  const { id, createdBy, createdAt } = table as ReadContext["tables"]["requests"];
  return orm.select({ id, createdBy, createdAt }).from(table).where(inArray(id, ids));
}

/** The secrets of a team with these ids, as far as asks for their approval go. */
function* selectAsked(
  { orm, tables: { secrets } }: ReadContext,
  teamId: string,
  ids: readonly string[],
): Work<ReadonlyMap<string, AskedSecret>> {
  if (ids.length === 0) return new Map();
  const { id, state, createdAt, expiresAt, createdBy, reference, approval } = secrets;
  const columns = { id, state, createdAt, expiresAt, createdBy, reference, approval };
  const isAsked = and(eq(secrets.teamId, teamId), inArray(id, [...ids]));
  return new Map((yield* rowsOf(orm.select(columns).from(secrets).where(isAsked))).map((each) => [each.id, each]));
}

/** Those of `notices` that still hold for a person of the team. */
export function* selectCurrent(
  context: ReadContext,
  { teamId, person }: { readonly teamId: string; readonly person: Approver },
  notices: readonly Notice[],
  now: number,
): Work<Notice[]> {
  const asked = notices.flatMap(({ kind, id }) => (kind === "asked" ? [id] : []));
  const secrets = yield* selectAsked(context, teamId, asked);
  return notices.filter((notice) => {
    if (notice.kind !== "asked") return true;
    const secret = secrets.get(notice.id);
    return secret !== undefined && askNotice(secret, notice.ask.id, person, now) !== undefined;
  });
}

function columnsOf(events: ReadContext["tables"]["events"]) {
  const { id, type, secretId, requestId, actorId, reference, createdAt, ask } = events;
  return { id, type, secretId, requestId, actorId, reference, createdAt, ask };
}
