import type { texts as english } from "../en/menu.ts";
import type { Translation } from "../translations.ts";

/** What the bar of a signed-in person says, in Italian. */
export const texts: Translation<typeof english> = () => ({
  menu: {
    tabs: "Principale",
    send: "Invia",
    ask: "Chiedi",
    activity: "Attività",
    forYou: "da fare",
    accountOf: (name) => `Account di ${name}`,
    account: "Il tuo account",
    audit: "Registro di controllo",
    signOut: "Esci",
  },
});
