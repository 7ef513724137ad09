import type { RefObject } from "preact";
import { useRef, useState } from "preact/hooks";
import { STRINGS } from "../strings.ts";

const USUAL = [1, 3, 10];

/** A number that somebody chooses or types, from 1 on. */
export interface CountDraft {
  /** As it was chosen or typed: what is no number must stay there to be corrected. */
  readonly text: string;
  readonly max: number;
  /** The numbers to choose from. */
  readonly choices: readonly number[];
  /** True when it is typed, and not chosen. */
  readonly isTyped: boolean;
  /** The number as it is now; undefined when it is none that may be. */
  readonly value: number | undefined;
  /** The complaint about it; empty before it was read, and when there is none. */
  readonly complaint: string;
  readonly field: RefObject<HTMLInputElement | null>;
  /** Chooses a number; undefined to type one. */
  readonly choose: (count: number | undefined) => void;
  readonly change: (text: string) => void;
  /** The number; undefined when it is none that may be, which is then said at its field. */
  readonly read: () => number | undefined;
}

/** A number from 1 to `max` that somebody can change. */
export function useCount(initial: number, max: number): CountDraft {
  const [text, setText] = useState(String(initial));
  const [isTyped, setTyped] = useState(false);
  const [complaint, setComplaint] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const count = text === "" ? Number.NaN : Number(text);
  const value = Number.isInteger(count) && count >= 1 && count <= max ? count : undefined;
  const change = (typed: string) => {
    setText(typed);
    setComplaint("");
  };
  return {
    text,
    max,
    choices: [...new Set([...USUAL.filter((each) => each <= max), initial])].toSorted((one, other) => one - other),
    isTyped,
    value,
    complaint,
    field,
    choose(chosen) {
      setTyped(chosen === undefined);
      // Typing begins with what was chosen before.
      change(chosen === undefined ? text : String(chosen));
    },
    change,
    read() {
      if (value === undefined) {
        setComplaint(STRINGS.wrongCount(max));
        field.current?.focus();
      }
      return value;
    },
  };
}
