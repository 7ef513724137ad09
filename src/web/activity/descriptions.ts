import type { Secret } from "../../contract/secrets.ts";
import type { IconName } from "../frame/icon.tsx";
import { formatShortly, formatSize } from "../parts/formats.ts";
import type { ShownState } from "../parts/state-chip.tsx";
import type { AskedRow } from "../service/asked.ts";
import { stateOfRequest, stateOfSecret } from "../service/states.ts";
import { STRINGS } from "../strings.ts";
import type { ActivityItem } from "./items.ts";

const { activity: words } = STRINGS;

/** An item as the list shows it. */
export interface Description {
  readonly icon: IconName;
  readonly name: string;
  readonly facts: string;
  readonly state: ShownState;
  /** The time that goes with the state: its end, or when it came to that. */
  readonly when: string;
}

export function describeItem(item: ActivityItem): Description {
  return item.kind === "sent" ? describeSecret(item.secret, item.label) : describeAsked(item.asked);
}

function describeSecret(secret: Secret, label: string): Description {
  const { created_at: created, expires_at: expires, ended_at: ended, ciphertext_bytes: bytes } = secret;
  return {
    icon: "sealed",
    name: label || words.secret,
    facts: words.sent(formatShortly(created), formatSize(bytes)),
    state: stateOfSecret(secret),
    when: ended === null ? words.expires(formatShortly(expires)) : describeEnd(secret, formatShortly(ended)),
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
    facts: words.asked(formatShortly(created)),
    state: stateOfRequest(asked),
    when: ended === null ? words.expires(formatShortly(expires)) : formatShortly(ended),
  };
}
