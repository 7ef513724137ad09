import { Fact } from "../parts/fact.tsx";
import { SENDING } from "../texts/sending.ts";

const { ticket: words } = SENDING;

/** The ticket of a secret or request, and who sees it; nothing without a ticket. */
export function TicketFact({ ticket }: { readonly ticket: string | null }) {
  if (ticket === null) return null;
  return (
    <Fact icon="text" meaning={words.text}>
      <span translate={false}>{words.name(ticket)}</span>
    </Fact>
  );
}
