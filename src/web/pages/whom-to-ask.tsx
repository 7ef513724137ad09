import { BRAND } from "../browser/brand.ts";
import { LANDING } from "../texts/landing.ts";

/** The contact for help, when the server names one. */
export function WhomToAsk() {
  const { contact } = BRAND;
  if (!contact) return null;
  return (
    <p class="quiet">
      {LANDING.contact} <a href={contact.href}>{contact.text}</a>
    </p>
  );
}
