import { SENDING } from "../texts/sending.ts";

const { ticket: words } = SENDING;

/** The ticket of a secret or request, and who sees it; nothing without a ticket. */
export function TicketFact({ ticket }: { readonly ticket: string | null }) {
  if (ticket === null) return null;
  return (
    <p class="hint">
      <span translate={false}>{words.name(ticket)}</span> · {words.text}
    </p>
  );
}
