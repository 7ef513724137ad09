import { BRAND } from "../browser/brand.ts";
import { STRINGS } from "../strings.ts";

/** The contact for help, when the server names one. */
export function WhomToAsk() {
  const { contact } = BRAND;
  if (!contact) return null;
  return (
    <p class="quiet">
      {STRINGS.contact} <a href={contact.href}>{contact.text}</a>
    </p>
  );
}
