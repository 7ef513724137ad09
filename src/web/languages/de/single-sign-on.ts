import type { texts as english } from "../en/single-sign-on.ts";
import type { Translation } from "../translations.ts";

/** What signing in with the account of a company says, in German. */
export const texts: Translation<typeof english> = () => ({
  provider: {
    button: "Mit Firmenkonto anmelden",
    failed: "Sie sind nicht angemeldet",
    canceled: "Die Anmeldung wurde abgebrochen, oder der Anbieter hat sie abgelehnt.",
    refused: "Dieses Konto kann sich hier nicht anmelden. Wenden Sie sich an Ihren Admin.",
    late: "Das hat zu lange gedauert oder wurde schon verwendet. Melden Sie sich noch einmal an.",
    unavailable: "Der Anbieter Ihres Firmenkontos ist nicht verfügbar. Versuchen Sie es in einer Minute noch einmal.",
  },
});
