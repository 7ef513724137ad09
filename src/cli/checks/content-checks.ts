import { toIsoTime } from "../../contract/times.ts";
import type { ContentInspection } from "../../domain/ports/inspections.ts";
import { findClockDoubt } from "../../domain/values/clocks.ts";
import type { LogGap, LogState } from "../../domain/values/log-checks.ts";
import { countOf } from "../terminal/counts.ts";
import { toLine } from "../terminal/terminal.ts";
import { failed, fine, warning } from "./findings.ts";
import type { Finding } from "./findings.ts";

const DAY_MS = 86_400_000;
/** Keys that end within this time should be rotated. */
export const SOON_MS = 30 * DAY_MS;
/** A webhook counts as behind after this time: an event that its receiver keeps refusing is retried for as long. */
const BEHIND_MS = 10 * 60_000;

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

/** Reports where the log of secrets and requests isn't what was sealed; nothing for a database without seals. */
export function checkSeals(state: LogState | undefined): Finding[] {
  if (!state) return [];
  if (state.gaps.length > 0) return state.gaps.map((gap) => failed("event log", describeGap(gap)));
  if (!state.last) return [fine("event log", "No line is sealed yet. A server seals them while it runs.")];
  return [fine("event log", `Every line up to ${toIsoTime(state.last.endsAt)} is as it was sealed.`)];
}

function describeGap({ from, until, teamId, sealed, found }: LogGap): string {
  const between = `Between ${from === 0 ? "its beginning" : toIsoTime(from)} and ${toIsoTime(until)}`;
  const what = teamId === undefined ? "seals of the log were changed, or are missing" : describeLines(sealed, found);
  const whose = teamId === undefined ? "" : ` of the team ${toLine(teamId)}`;
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
