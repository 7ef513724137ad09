import type { Secret } from "../../contract/secrets.ts";
import type { IconName } from "../frame/icon.tsx";
import { describeSize, formatDated, formatShortly } from "../parts/formats.ts";
import { printable } from "../parts/printable.ts";
import type { ShownState } from "../parts/state-chip.tsx";
import type { AskedRow } from "../service/asked.ts";
import { stateOfRequest, stateOfSecret } from "../service/states.ts";
import { ACTIVITY } from "../texts/activity.ts";
import { countItemsToCollect, groupOf } from "./items.ts";
import type { Activity, ActivityItem } from "./items.ts";

const { activity: words, collect } = ACTIVITY;

/** An item as the list shows it. */
export interface Description {
  readonly icon: IconName;
  readonly name: string;
  readonly facts: string;
  readonly state: ShownState;
  /** The time of the state: when it ends or began; empty when unknown. */
  readonly when: string;
}

export function describeItem(item: ActivityItem): Description {
  return item.kind === "sent" ? describeSecret(item.secret, item.label) : describeAsked(item.asked);
}

function describeSecret(secret: Secret, label: string): Description {
  const { created_at: created, expires_at: expires, ended_at: ended, ciphertext_bytes: bytes } = secret;
  return {
    icon: "sealed",
    name: printable(label) || words.secret,
    facts: [words.sent(formatDated(created)), describeSize(bytes)].filter(Boolean).join(" · "),
    state: stateOfSecret(secret),
    when: ended === null ? words.expires(formatShortly(expires)) : describeEnd(secret, formatDated(ended)),
  };
}

function describeEnd({ claims }: Secret, when: string): string {
  return claims === 0 ? words.neverOpened(when) : when;
}

function describeAsked(asked: AskedRow): Description {
  const { request, note } = asked;
  const { created_at: created, expires_at: expires, ended_at: ended } = request;
  return {
    icon: "inbox",
    name: note || words.request,
    facts: words.asked(formatDated(created)),
    state: stateOfRequest(asked),
    when: ended === null ? words.expires(formatShortly(expires)) : describeEndOfRequest(asked, formatDated(ended)),
  };
}

/** The server reports when a request ended, but not when its submissions were opened: the state has no time then. */
function describeEndOfRequest({ request }: AskedRow, when: string): string {
  const { state, submission_count: count } = request;
  if (state === "fulfilled") return collect.handedIn(when);
  return count === 0 ? when : "";
}

/**
 * The summary line: how many can be collected, and how many wait (only once all is loaded). Undefined when there are
 * none.
 */
export function summarize({ items, hasMore }: Pick<Activity, "items" | "hasMore">): string | undefined {
  const waiting = hasMore.all ? 0 : items.filter((item) => groupOf(item) === "waiting").length;
  const toCollect = countItemsToCollect(items);
  return waiting + toCollect > 0 ? words.summary(toCollect, waiting) : undefined;
}
