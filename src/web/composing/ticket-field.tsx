import type { RefObject } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { isReference } from "../../client/limits.ts";
import { REFERENCE_EXAMPLE } from "../../contract/patterns.ts";
import { Complaint } from "../parts/complaint.tsx";
import { SENDING } from "../texts/sending.ts";

const { ticket: words } = SENDING;
/** Longer than any ticket, so that a long input gets a complaint and is not cut. */
const MAX_LENGTH = 100;

/** A ticket as it is typed. */
export interface TicketDraft {
  readonly text: string;
  /** The complaint about the ticket; empty before `read`, and when there is none. */
  readonly complaint: string;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly change: (text: string) => void;
  /**
   * Returns the ticket, or null for none. Returns undefined for an invalid ticket, and shows a complaint at the field.
   */
  readonly read: () => string | null | undefined;
}

export function useTicket(): TicketDraft {
  const [text, setText] = useState("");
  const [complaint, setComplaint] = useState("");
  const field = useRef<HTMLInputElement>(null);
  return {
    text,
    complaint,
    field,
    change(typed) {
      setText(typed);
      setComplaint("");
    },
    read() {
      const ticket = text.trim();
      if (ticket === "") return null;
      if (isReference(ticket)) return ticket;
      setComplaint(words.wrong(REFERENCE_EXAMPLE));
      field.current?.focus();
      return undefined;
    },
  };
}

/** The field for the ticket, which the server and the team can read. */
export function TicketField({ ticket, isBusy }: { readonly ticket: TicketDraft; readonly isBusy: boolean }) {
  const { text, complaint, field, change } = ticket;
  const id = useId();
  return (
    <div class="field">
      <label class="label" for={id}>
        {words.label}
      </label>
      <input
        ref={field}
        id={id}
        class="input"
        dir="ltr"
        autocomplete="off"
        autocapitalize="characters"
        spellcheck={false}
        translate={false}
        maxLength={MAX_LENGTH}
        readOnly={isBusy}
        value={text}
        aria-invalid={complaint !== ""}
        aria-describedby={`${id}-hint ${id}-complaint`}
        onInput={(event) => change(event.currentTarget.value)}
      />
      <p class="hint" id={`${id}-hint`}>
        {words.hint(REFERENCE_EXAMPLE)}
      </p>
      <Complaint id={`${id}-complaint`} text={complaint} />
    </div>
  );
}
