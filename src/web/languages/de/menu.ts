import type { texts as english } from "../en/menu.ts";
import type { Translation } from "../translations.ts";

/** What the bar of a signed-in person says, in German. */
export const texts: Translation<typeof english> = () => ({
  menu: {
    tabs: "Hauptmenü",
    send: "Senden",
    ask: "Anfordern",
    activity: "Verlauf",
    forYou: "zu erledigen",
    accountOf: (name) => `Konto von ${name}`,
    account: "Ihr Konto",
    audit: "Prüfprotokoll",
    signOut: "Abmelden",
  },
});
