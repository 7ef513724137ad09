import { toIsoTime } from "../../contract/times.ts";
import type { ContentInspection, InspectedTeam } from "../../domain/ports/inspections.ts";
import { findClockDoubt } from "../../domain/values/clocks.ts";
import type { LogGap, LogState, UnsealedTeam } from "../../domain/values/log-checks.ts";
import { countOf } from "../terminal/counts.ts";
import { toLine } from "../terminal/terminal.ts";
import { failed, fine, warning } from "./findings.ts";
import type { Finding } from "./findings.ts";

const DAY_MS = 86_400_000;
/** Keys that end within this time should be rotated. */
export const SOON_MS = 30 * DAY_MS;
/** A webhook counts as behind after this time: an event that its receiver keeps refusing is retried for as long. */
const BEHIND_MS = 10 * 60_000;
/** A server seals each line within two minutes; after this time, something is wrong with it. */
const UNSEALED_MS = 10 * 60_000;
/** The number of teams that a finding names. */
const MOST_NAMES = 3;

/** The advice when the clock is behind or ahead of the latest time in the database. */
export type ClockAdvice = Readonly<Record<"behind" | "ahead", string>>;

/** Compares the clock, which says `now`, with the latest time in the database. */
export function checkClock({ latestAt: latest }: ContentInspection, now: number, advice: ClockAdvice): Finding {
  const doubt = findClockDoubt(now, latest);
  const times = `The clock says ${toIsoTime(now)}, the latest time in the database is ${toIsoTime(latest)}.`;
  if (doubt === undefined) return fine("clock", "The clock fits the latest time in the database.");
  return failed("clock", `${times} ${advice[doubt]}`);
}

/** Reports keys that end within 30 days, and those that were sent in a query string. */
export function checkKeys({ endingKeys: ending, exposedKeys }: ContentInspection): Finding[] {
  const exposed = exposedKeys.map(({ id, identity }) =>
    warning(
      "exposed key",
      `The key ${id} of '${identity}' was sent in a query string, which proxies and browsers keep. Run: handoff admin key rotate ${id}`,
    ),
  );
  return [checkEnds(ending), ...exposed];
}

function checkEnds(ending: ContentInspection["endingKeys"]): Finding {
  const [first] = ending;
  if (!first) return fine("keys", "No key ends within 30 days.");
  const count = ending.length === 1 ? "A key ends" : `${ending.length} keys end`;
  return warning(
    "keys",
    `${count} within 30 days, the first on ${toIsoTime(first.expiresAt)}: ${first.id}. Run: handoff admin key rotate ${first.id}`,
  );
}

type TeamNames = readonly Pick<InspectedTeam, "id" | "name">[];

/**
 * Reports where the log of secrets and requests isn't what was sealed, and lines that have long been without a seal at
 * `now`; nothing for a database without seals. `teams` have the names.
 */
export function checkSeals(state: LogState | undefined, teams: TeamNames, now: number): Finding[] {
  if (!state) return [];
  const found = state.gaps.map((gap) => failed("event log", describeGap(gap, teams)));
  const late = state.unsealed.filter(({ since }) => since < now - UNSEALED_MS);
  if (late.length > 0) found.push(warning("event log", describeUnsealed(late, teams)));
  if (state.gaps.length > 0) return found;
  if (state.last) {
    found.unshift(fine("event log", `Every line up to ${toIsoTime(state.last.endsAt)} is as it was sealed.`));
  }
  if (found.length > 0) return found;
  return [fine("event log", "No line is sealed yet. A server seals them while it runs.")];
}

function describeUnsealed(late: readonly UnsealedTeam[], teams: TeamNames): string {
  const names = late.slice(0, MOST_NAMES).map(({ teamId }) => nameTeam(teamId, teams));
  const more = late.length > MOST_NAMES ? `, and ${late.length - MOST_NAMES} more` : "";
  const oldest = toIsoTime(Math.min(...late.map(({ since }) => since)));
  const whose = `${late.length === 1 ? "the team" : "the teams"} ${names.join(", ")}${more}`;
  return `Lines of ${whose} have no seal, the oldest from ${oldest}. A server seals each within two minutes: either none runs, or sealing fails. Start it, or look for 'sweep failed' in its log.`;
}

function nameTeam(id: string, teams: TeamNames): string {
  const found = teams.find((team) => team.id === id);
  // The lines of a deleted team go with it, so this one may have been made up.
  return found ? `'${toLine(found.name)}'` : toLine(id);
}

function describeGap({ from, until, teamId, sealed, found }: LogGap, teams: TeamNames): string {
  const between = `Between ${from === 0 ? "its beginning" : toIsoTime(from)} and ${toIsoTime(until)}`;
  const what = teamId === undefined ? "seals of the log were changed, or are missing" : describeLines(sealed, found);
  const whose = teamId === undefined ? "" : ` of the team ${nameTeam(teamId, teams)}`;
  return `${between}, ${what}${whose}. The database was changed by something other than handoff. Compare it with a backup: handoff admin audit`;
}

function describeLines(sealed: number, found: number): string {
  if (found < sealed)
    return `${countOf(sealed - found, "line")} of ${sealed} ${sealed - found === 1 ? "is" : "are"} missing`;
  if (found > sealed)
    return `${countOf(found - sealed, "line")} ${found - sealed === 1 ? "was" : "were"} added to ${sealed}`;
  return sealed === 1 ? "a line was changed" : `some of ${sealed} lines were changed`;
}

/** Reports webhooks that are paused or behind. */
export function checkWebhooks({ webhooks }: ContentInspection, now: number): Finding[] {
  const complaints = webhooks.flatMap(({ id, pausedAt, pausedBy, behindSince }) => {
    if (pausedAt !== null) {
      const why = pausedBy === "receiver" ? "because its receiver answered 410" : "by an admin";
      return `${id} is paused since ${toIsoTime(pausedAt)}, ${why}. To go on, run: handoff admin webhook resume ${id}`;
    }
    if (behindSince === null || now - behindSince < BEHIND_MS) return [];
    return `${id} has received no event since ${toIsoTime(behindSince)}. To see why, run: handoff admin webhook deliveries ${id}`;
  });
  if (complaints.length > 0) return complaints.map((text) => warning("webhooks", text));
  return webhooks.length === 0 ? [] : [fine("webhooks", "None is paused, and none is behind by ten minutes.")];
}
