import type { RefObject } from "preact";
import { useRef, useState } from "preact/hooks";
import type { CredentialLimits, Rules } from "../../contract/credentials.ts";
import { SECRET_TTL_SECONDS } from "../../contract/limits.ts";
import { SENDING } from "../texts/sending.ts";
import { formatDuration } from "./formats.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
const USUAL = [HOUR, DAY, 7 * DAY, 30 * DAY];
/** The units in which a lifetime can be typed, in seconds. */
export const LIFETIME_UNITS = { minutes: 60, hours: HOUR, days: DAY } as const;

export type LifetimeUnit = keyof typeof LIFETIME_UNITS;

/** A lifetime that a person chooses or types. */
export interface LifetimeDraft {
  /** In seconds; undefined while a lifetime is typed. */
  readonly chosen: number | undefined;
  /** The lifetimes to choose from, in seconds. */
  readonly choices: readonly number[];
  /** What the rules of the team allow; empty when they don't narrow it. */
  readonly allowed: string;
  readonly text: string;
  readonly unit: LifetimeUnit;
  /** The complaint about the lifetime; empty before `read`, and when there is none. */
  readonly complaint: string;
  readonly field: RefObject<HTMLInputElement | null>;
  /** The current lifetime in seconds; undefined when it is invalid. */
  readonly seconds: number | undefined;
  /** Chooses a lifetime; undefined switches to typing. */
  readonly choose: (seconds: number | undefined) => void;
  readonly change: (text: string, unit: LifetimeUnit) => void;
  /** Returns the lifetime in seconds. Returns undefined for an invalid one, and shows a complaint at the field. */
  readonly read: () => number | undefined;
}

type LifetimeLimits = Pick<CredentialLimits, "default_expires_in" | "max_expires_in" | "expires_choices">;

/** The lifetimes to choose from, in seconds: the server's, else common ones and a short maximum, with the default. */
export function lifetimesWithin({
  default_expires_in: usual,
  max_expires_in: most,
  expires_choices: chosen,
}: LifetimeLimits): number[] {
  const offered = chosen ?? [...USUAL.filter((seconds) => seconds <= most), ...(most < DAY ? [most] : [])];
  return [...new Set([...offered, usual])].toSorted((one, other) => one - other);
}

/** The largest unit that divides `seconds`; minutes when none does. */
function unitOf(seconds: number): LifetimeUnit {
  return (["days", "hours"] as const).find((unit) => seconds % LIFETIME_UNITS[unit] === 0) ?? "minutes";
}

/**
 * Creates a draft of a lifetime within the limits, with the default at first. The limits are within the rules of the
 * team.
 */
export function useLifetime(limits: LifetimeLimits, rules: Rules | null = null): LifetimeDraft {
  const { default_expires_in: usual, max_expires_in: most } = limits;
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
    choices: lifetimesWithin(limits),
    allowed: rules?.max_expires === most ? SENDING.terms.allowed(formatDuration(most)) : "",
    text,
    unit,
    complaint,
    field,
    seconds,
    choose(next) {
      // Typing starts with the lifetime chosen before.
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
        setComplaint(SENDING.terms.wrongLifetime(formatDuration(least), formatDuration(most)));
        field.current?.focus();
      }
      return seconds;
    },
  };
}
