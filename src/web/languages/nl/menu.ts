import type { texts as english } from "../en/menu.ts";
import type { Translation } from "../translations.ts";

/** What the bar of a signed-in person says, in Dutch. */
export const texts: Translation<typeof english> = () => ({
  menu: {
    tabs: "Hoofdmenu",
    send: "Sturen",
    ask: "Opvragen",
    activity: "Status",
    forYou: "te doen",
    accountOf: (name) => `Account van ${name}`,
    account: "Je account",
    audit: "Auditlogboek",
    signOut: "Uitloggen",
  },
});
