import type { RefObject } from "preact";
import { useRef, useState } from "preact/hooks";
import { STRINGS } from "../strings.ts";

/** A number that somebody types, from 1 on. */
export interface CountDraft {
  /** As it was typed: what is no number must stay there to be corrected. */
  readonly text: string;
  readonly max: number;
  /** The complaint about it; empty before it was read, and when there is none. */
  readonly complaint: string;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly change: (text: string) => void;
  /** The number; undefined when it is none that may be, which is then said at its field. */
  readonly read: () => number | undefined;
}

/** A number from 1 to `max` that somebody can change. */
export function useCount(initial: number, max: number): CountDraft {
  const [text, setText] = useState(String(initial));
  const [complaint, setComplaint] = useState("");
  const field = useRef<HTMLInputElement>(null);
  return {
    text,
    max,
    complaint,
    field,
    change(typed) {
      setText(typed);
      setComplaint("");
    },
    read() {
      const count = text === "" ? Number.NaN : Number(text);
      if (Number.isInteger(count) && count >= 1 && count <= max) return count;
      setComplaint(STRINGS.wrongCount(max));
      field.current?.focus();
      return undefined;
    },
  };
}
