import type { RefObject } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { isReference } from "../../client/limits.ts";
import type { Rules } from "../../contract/credentials.ts";
import { REFERENCE_EXAMPLE } from "../../contract/patterns.ts";
import { Complaint } from "../parts/complaint.tsx";
import { SENDING } from "../texts/sending.ts";

const { ticket: words } = SENDING;
/** Longer than any ticket, so that a long input gets a complaint and is not cut. */
const MAX_LENGTH = 100;

/** A ticket as it is typed. */
export interface TicketDraft {
  readonly text: string;
  /** True when the team asks for a ticket. */
  readonly isRequired: boolean;
  /** True when the team asks for a ticket, and none is typed. */
  readonly isMissing: boolean;
  /** The complaint about the ticket; empty before `read`, and when there is none. */
  readonly complaint: string;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly change: (text: string) => void;
  /**
   * Returns the ticket, or null for none. Returns undefined for one that is invalid or missing, and shows a complaint
   * at the field.
   */
  readonly read: () => string | null | undefined;
}

/** Creates a draft of a ticket, which the rules of the team may ask for. */
export function useTicket(rules: Rules | null = null): TicketDraft {
  const [text, setText] = useState("");
  const [complaint, setComplaint] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const isRequired = rules?.require_reference === true;
  return {
    text,
    isRequired,
    isMissing: isRequired && text.trim() === "",
    complaint,
    field,
    change(typed) {
      setText(typed);
      setComplaint("");
    },
    read() {
      const ticket = text.trim();
      if (ticket === "" && !isRequired) return null;
      if (isReference(ticket)) return ticket;
      setComplaint((isRequired ? words.required.missing : words.wrong)(REFERENCE_EXAMPLE));
      field.current?.focus();
      return undefined;
    },
  };
}

/** The field for the ticket, which the server and the team can read. */
export function TicketField({ ticket, isBusy }: { readonly ticket: TicketDraft; readonly isBusy: boolean }) {
  const { text, isRequired, complaint, field, change } = ticket;
  const id = useId();
  return (
    <div class="field">
      <label class="label" for={id}>
        {isRequired ? words.required.label : words.label}
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
        aria-required={isRequired}
        aria-invalid={complaint !== ""}
        aria-describedby={`${id}-hint ${id}-complaint`}
        onInput={(event) => change(event.currentTarget.value)}
      />
      <p class="hint" id={`${id}-hint`}>
        {isRequired && `${words.required.asked} `}
        {words.hint(REFERENCE_EXAMPLE)}
      </p>
      <Complaint id={`${id}-complaint`} text={complaint} />
    </div>
  );
}
