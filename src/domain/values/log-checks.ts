import type { EventRecord, LogReader, SealRecord } from "../ports/events.ts";
import { chainHash, partsOf, readParts } from "./seals.ts";

/** The seals of one read. */
const PAGE_SEALS = 500;
/** The lines to look for beyond those of a seal: some may have been put in. */
const MORE_EVENTS = 100;
/** The number of events after the newest seal that are looked at. */
const UNSEALED_EVENTS = 500;
/** The number of gaps after which the rest is not looked at: one says enough. */
const MOST_GAPS = 10;

/** Where the log isn't what was sealed. Times are epoch milliseconds. */
export interface LogGap {
  /** The times between which it happened: those of the former seal and of this one. */
  readonly from: number;
  readonly until: number;
  /** The team whose events differ; undefined when the seals themselves were changed. */
  readonly teamId: string | undefined;
  /** The number of events that were sealed, and that are there. */
  readonly sealed: number;
  readonly found: number;
}

/** The state of the log, as far as it is sealed. */
export interface LogState {
  /** The newest seal; undefined when nothing is sealed yet. */
  readonly last: SealRecord | undefined;
  /** The time up to which the events are deleted; 0 when none is. */
  readonly startsAt: number;
  readonly gaps: readonly LogGap[];
  /** True when the hash that was asked for is one of the chain. */
  readonly isKnown: boolean;
  /** For each team among the oldest events without a seal, the time of its first one. */
  readonly unsealed: readonly UnsealedTeam[];
}

export interface UnsealedTeam {
  readonly teamId: string;
  readonly since: number;
}

/**
 * Computes the chain of hashes anew and compares it with the seals and the events, while a server may write. `hash` is
 * one to look for, in hexadecimal digits.
 */
export async function checkLog(reader: LogReader, hash?: string): Promise<LogState> {
  const state = await compareSeals(reader, hash);
  const { last } = state;
  const events = await reader.listPlaced(last?.lastPlace ?? 0, Number.MAX_SAFE_INTEGER, UNSEALED_EVENTS);
  const teams = new Map<string, number>();
  for (const { teamId, createdAt } of events) if (!teams.has(teamId)) teams.set(teamId, createdAt);
  // Times never go back along the log.
  const early = last && events.find(({ createdAt }) => createdAt < last.endsAt);
  const added = early && { from: early.createdAt, until: last.endsAt, teamId: early.teamId, sealed: 0, found: 1 };
  return {
    ...state,
    gaps: added ? [...state.gaps, added] : state.gaps,
    unsealed: [...teams].map(([teamId, since]) => ({ teamId, since })),
  };
}

async function compareSeals(reader: LogReader, hash: string | undefined): Promise<Omit<LogState, "unsealed">> {
  const gaps: LogGap[] = [];
  let deleted: Promise<ReadonlySet<string>> | undefined;
  const reading: Reading = { reader, deletedTeams: () => (deleted ??= reader.listDeletedTeams()) };
  let former: SealRecord | undefined;
  let [startsAt, isKnown] = [0, false];
  const start = (first: SealRecord | undefined) => {
    former = first;
    startsAt = first?.endsAt ?? 0;
    // The events that it stood for are deleted.
    isKnown = false;
  };
  const [base] = await reader.listSeals(-1, 1);
  if (!base) return { last: undefined, startsAt, gaps, isKnown };
  start(base);
  gaps.push(...(await findOlder(reader, base)));
  for (let page: SealRecord[]; (page = await reader.listSeals(former?.id ?? -1, PAGE_SEALS)).length > 0;) {
    for (const seal of page) {
      const found: LogGap[] = former ? await compare(reading, former, seal) : [];
      const [first] = found.length > 0 ? await reader.listSeals(-1, 1) : [];
      if (first && first.id >= seal.id) {
        // Its events were deleted meanwhile, because they are old.
        start(first);
        break;
      }
      gaps.push(...found);
      isKnown ||= seal.hash.toHex() === hash;
      former = seal;
      if (gaps.length >= MOST_GAPS) return { last: await reader.lastSeal(), startsAt, gaps, isKnown };
    }
  }
  return { last: former, startsAt, gaps, isKnown };
}

interface Reading {
  readonly reader: LogReader;
  /** Reads the deleted teams, once. */
  readonly deletedTeams: () => Promise<ReadonlySet<string>>;
}

/** Events from before the chain: they should have been deleted. */
async function findOlder(reader: LogReader, base: SealRecord): Promise<LogGap[]> {
  const found = await reader.listPlaced(Number.MIN_SAFE_INTEGER, base.lastPlace, 1);
  return found.map(({ teamId }) => ({ from: 0, until: base.endsAt, teamId, sealed: 0, found: 1 }));
}

/** Compares a seal with the former one, and with its events. */
async function compare({ reader, deletedTeams }: Reading, former: SealRecord, seal: SealRecord): Promise<LogGap[]> {
  // An event that was put in with an earlier time may have been sealed since.
  const [from, until] = [Math.min(former.endsAt, seal.endsAt), Math.max(former.endsAt, seal.endsAt)];
  const parts = readParts(seal.parts);
  const isNext = seal.id === former.id + 1 && Bun.deepEquals(chainHash(former, seal), new Uint8Array(seal.hash));
  if (!parts || !isNext) return [{ from, until, teamId: undefined, sealed: 0, found: 0 }];
  const most = MORE_EVENTS + parts.reduce((sum, [, count]) => sum + count, 0);
  const events: readonly EventRecord[] = await reader.listPlaced(former.lastPlace, seal.lastPlace, most);
  // Times never go back along the log.
  const early = events.find(({ createdAt }, index) => createdAt < (events[index - 1]?.createdAt ?? former.endsAt));
  if (early) return [{ from, until, teamId: early.teamId, sealed: 0, found: 1 }];
  const there = new Map(partsOf(events).map((part) => [part[0], part]));
  const gaps: LogGap[] = [];
  for (const [teamId, sealed, hash] of parts) {
    const [, found = 0, foundHash] = there.get(teamId) ?? [];
    there.delete(teamId);
    if (foundHash === hash && found === sealed) continue;
    // The events of a team are deleted with it, which the log of admin commands says.
    if (found === 0 && (await deletedTeams()).has(teamId)) continue;
    gaps.push({ from, until, teamId, sealed, found });
  }
  for (const [teamId, found] of there.values()) gaps.push({ from, until, teamId, sealed: 0, found });
  return gaps;
}
