import { SETTINGS } from "../../src/config/settings.ts";

/** Settings that keep rate limits and quotas out of the way, by id. */
export const UNLIMITED = {
  callsPerSecond: "1000000",
  callBurst: "1000000",
  teamQuota: "1024GiB",
} as const;

/** The same as flags of `handoff serve`. */
export function unlimitedFlags(): string[] {
  const ids = ["callsPerSecond", "callBurst", "teamQuota"] as const;
  return ids.flatMap((id) => [`--${SETTINGS[id].name}`, UNLIMITED[id]]);
}
