import type { texts as english } from "../en/menu.ts";
import type { Translation } from "../translations.ts";

/** What the bar of a signed-in person says, in French. */
export const texts: Translation<typeof english> = () => ({
  menu: {
    tabs: "Menu principal",
    send: "Envoyer",
    ask: "Demander",
    activity: "Suivi",
    forYou: "à faire",
    accountOf: (name) => `Votre compte, ${name}`,
    account: "Votre compte",
    audit: "Journal d’audit",
    signOut: "Se déconnecter",
  },
});
