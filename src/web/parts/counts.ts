import type { RefObject } from "preact";
import { useRef, useState } from "preact/hooks";
import type { Rules } from "../../contract/credentials.ts";
import { SENDING } from "../texts/sending.ts";
import { formatNumber } from "./formats.ts";

const USUAL = [1, 3, 10];

/** A number from 1 up that a person chooses or types. */
export interface CountDraft {
  /** As chosen or typed. An invalid number stays, so that it can be corrected. */
  readonly text: string;
  readonly max: number;
  /** The numbers to choose from. */
  readonly choices: readonly number[];
  /** What the rules of the team allow; empty when they don't narrow it. */
  readonly allowed: string;
  /** True when the number is typed. */
  readonly isTyped: boolean;
  /** The current number; undefined when it is invalid. */
  readonly value: number | undefined;
  /** The complaint about the number; empty before `read`, and when there is none. */
  readonly complaint: string;
  readonly field: RefObject<HTMLInputElement | null>;
  /** Chooses a number; undefined switches to typing. */
  readonly choose: (count: number | undefined) => void;
  readonly change: (text: string) => void;
  /** Returns the number. Returns undefined for an invalid one, and shows a complaint at the field. */
  readonly read: () => number | undefined;
}

/** Creates a draft of a number from 1 to `max`, which is within the rules of the team. */
export function useCount(initial: number, max: number, rules: Rules | null = null): CountDraft {
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
    allowed: rules?.max_claims === max ? SENDING.terms.allowed(formatNumber(max)) : "",
    isTyped,
    value,
    complaint,
    field,
    choose(chosen) {
      setTyped(chosen === undefined);
      // Typing starts with the number chosen before.
      change(chosen === undefined ? text : String(chosen));
    },
    change,
    read() {
      if (value === undefined) {
        setComplaint(SENDING.wrongCount(max));
        field.current?.focus();
      }
      return value;
    },
  };
}
