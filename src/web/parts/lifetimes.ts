import type { RefObject } from "preact";
import { useRef, useState } from "preact/hooks";
import type { CredentialLimits } from "../../contract/credentials.ts";
import { SECRET_TTL_SECONDS } from "../../contract/limits.ts";
import { STRINGS } from "../strings.ts";
import { formatDuration } from "./formats.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
const USUAL = [HOUR, DAY, 7 * DAY, 30 * DAY];
/** The seconds of each unit in which a lifetime can be typed. */
export const LIFETIME_UNITS = { minutes: 60, hours: HOUR, days: DAY } as const;

export type LifetimeUnit = keyof typeof LIFETIME_UNITS;

/** A lifetime that somebody chooses, or types. */
export interface LifetimeDraft {
  /** In seconds; undefined while one is typed. */
  readonly chosen: number | undefined;
  /** The lifetimes to choose from, in seconds. */
  readonly choices: readonly number[];
  readonly text: string;
  readonly unit: LifetimeUnit;
  /** The complaint about it; empty before it was read, and when there is none. */
  readonly complaint: string;
  readonly field: RefObject<HTMLInputElement | null>;
  /** In seconds, as it is now; undefined when it is none that may be. */
  readonly seconds: number | undefined;
  /** Chooses a lifetime; undefined to type one. */
  readonly choose: (seconds: number | undefined) => void;
  readonly change: (text: string, unit: LifetimeUnit) => void;
  /** The lifetime in seconds; undefined when it is none that may be, which is then said at its field. */
  readonly read: () => number | undefined;
}

/** The lifetimes to choose from, in seconds: usual ones, and the default and the maximum of this server. */
function lifetimesWithin(usual: number, most: number): number[] {
  const all = new Set([...USUAL.filter((seconds) => seconds <= most), usual, ...(most < DAY ? [most] : [])]);
  return [...all].toSorted((one, other) => one - other);
}

/** The largest unit of which `seconds` is a whole number; minutes when it is of none. */
function unitOf(seconds: number): LifetimeUnit {
  return (["days", "hours"] as const).find((unit) => seconds % LIFETIME_UNITS[unit] === 0) ?? "minutes";
}

/** A lifetime from the server's least to its most; its default at first. */
export function useLifetime({ default_expires_in: usual, max_expires_in: most }: CredentialLimits): LifetimeDraft {
  const [chosen, setChosen] = useState<number | undefined>(usual);
  const [text, setText] = useState("");
  const [unit, setUnit] = useState<LifetimeUnit>(most < DAY ? "minutes" : "days");
  const [complaint, setComplaint] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const { min: least } = SECRET_TTL_SECONDS;
  const typed = text === "" ? Number.NaN : Number(text) * LIFETIME_UNITS[unit];
  const isAllowed = Number.isInteger(typed) && typed >= least && typed <= most;
  const seconds = chosen ?? (isAllowed ? typed : undefined);
  return {
    chosen,
    choices: lifetimesWithin(usual, most),
    text,
    unit,
    complaint,
    field,
    seconds,
    choose(next) {
      // Typing begins with what was chosen before.
      if (next === undefined && chosen !== undefined) {
        setUnit(unitOf(chosen));
        setText(`${chosen / LIFETIME_UNITS[unitOf(chosen)]}`);
      }
      setChosen(next);
      setComplaint("");
    },
    change(nextText, nextUnit) {
      setText(nextText);
      setUnit(nextUnit);
      setComplaint("");
    },
    read() {
      if (seconds === undefined) {
        setComplaint(STRINGS.terms.wrongLifetime(formatDuration(least), formatDuration(most)));
        field.current?.focus();
      }
      return seconds;
    },
  };
}
