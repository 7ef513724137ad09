import type { texts as english } from "../en/menu.ts";
import type { Translation } from "../translations.ts";

/** What the bar of a signed-in person says, in Polish. */
export const texts: Translation<typeof english> = () => ({
  menu: {
    tabs: "Menu główne",
    send: "Wyślij",
    ask: "Poproś",
    activity: "Aktywność",
    forYou: "do zrobienia",
    accountOf: (name) => `Konto ${name}`,
    account: "Twoje konto",
    audit: "Dziennik audytu",
    signOut: "Wyloguj się",
  },
});
