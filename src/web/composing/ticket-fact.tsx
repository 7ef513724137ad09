import { Icon } from "../frame/icon.tsx";
import { STRINGS } from "../strings.ts";

const { ticket: words } = STRINGS;

/** The ticket of a secret or request, and who sees it; nothing without a ticket. */
export function TicketFact({ ticket }: { readonly ticket: string | null }) {
  if (ticket === null) return null;
  return (
    <li>
      <Icon name="text" />
      <span>
        <span translate={false}>{words.name(ticket)}</span>
        <small>{words.text}</small>
      </span>
    </li>
  );
}
