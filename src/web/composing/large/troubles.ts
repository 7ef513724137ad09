import type { LargeNews } from "./messages.ts";

/** Why nothing goes on: no connection, a server that has no time, or one that can't write to its disk. */
export type Trouble = "line" | "server" | "storage";

type SetbackCode = Extract<LargeNews, { readonly kind: "setback" }>["code"];

const TROUBLES: Partial<Record<SetbackCode, Trouble>> = {
  connection_failed: "line",
  connection_lost: "line",
  timed_out: "line",
  body_too_slow: "line",
  gateway_unavailable: "server",
  internal: "server",
  rate_limited: "server",
  server_busy: "server",
  storage_unavailable: "storage",
  team_quota_exceeded: "storage",
};

/** The trouble after some news; undefined for none. A server that answers may still be unable to store anything. */
export function troubleAfter(current: Trouble | undefined, news: LargeNews): Trouble | undefined {
  switch (news.kind) {
    case "setback":
      return TROUBLES[news.code];
    case "begun":
      return current;
    case "answered":
      return current === "line" ? undefined : current;
    case "progress":
      return news.sent === news.stored ? undefined : current;
  }
}
