import type { texts as english } from "../en/account.ts";
import type { Translation } from "../translations.ts";

/** What a person's account says, in Dutch. */
export const texts: Translation<typeof english> = ({ number }) => ({
  account: {
    browserOn: (browser, system) => `${browser} op ${system}`,
    unknownBrowser: "Onbekende browser",
    actionOn: (action, name) => `${action}: ${name}`,
    passkeys: {
      title: "Passkeys",
      what: "Met een passkey log je in met je vingerafdruk, gezicht of pincode, zonder link.",
      none: "Je hebt nog geen passkey.",
      unsupported: "Deze browser kan geen passkeys gebruiken.",
      most: (count) => `Je hebt ${number(count)} passkeys, meer kan niet. Verwijder er eerst een.`,
      added: (when) => `Toegevoegd ${when}`,
      used: (when) => `Laatst ${when} gebruikt`,
      unused: "Nog niet gebruikt",
      add: "Passkey toevoegen",
      adding: "Toevoegen…",
      isAdded: "De passkey is toegevoegd.",
      remove: "Verwijderen",
      removing: "Verwijderen…",
      isRemoved: "De passkey is verwijderd.",
      sure: {
        title: "Deze passkey verwijderen?",
        text: "Je kunt er daarna niet meer mee inloggen. Je apparaat bewaart hem misschien tot je hem daar verwijdert.",
        confirm: "Verwijderen",
      },
      known: "Je hebt daar al een passkey.",
      refused: "De server heeft de passkey niet geaccepteerd. Probeer het opnieuw.",
      unusable: "Deze browser kan hier geen passkey toevoegen. Probeer een andere browser.",
      offer: "Voeg een passkey toe, dan heb je de volgende keer geen link nodig.",
      later: "Niet nu",
    },
    notices: {
      title: "Mails",
      what: (address) => `Deze mails gaan naar ${address}.`,
      opened: "Als iets wat je verstuurde, wordt geopend",
      ending: "Een dag voordat iets verloopt dat niemand heeft geopend",
      handedIn: "Als iemand iets inlevert",
      asked: "Als iemand op je goedkeuring wacht",
      isSaved: "Opgeslagen.",
      whereSent: "Mail me als iets wat ik verstuur, wordt geopend",
      whereAsked: "Mail me als iemand op mijn goedkeuring wacht",
    },
    sessions: {
      title: "Waar je bent ingelogd",
      here: "Deze browser",
      since: (when) => `Ingelogd ${when}`,
      used: (when) => `Laatst ${when} gebruikt`,
      signOut: "Uitloggen",
      signingOut: "Uitloggen…",
      isSignedOut: "Je bent daar uitgelogd.",
      others: "Elders uitloggen",
      areSignedOut: "Je bent overal elders uitgelogd.",
    },
  },
  again: {
    titles: {
      add: "Log opnieuw in om een passkey toe te voegen",
      remove: "Log opnieuw in om een passkey te verwijderen",
      terminal: "Log opnieuw in om een terminal toe te laten",
    },
    text: "Je bent meer dan 15 minuten geleden ingelogd. Opnieuw inloggen laat zien dat jij het nog bent.",
    otherwise: "Als niets hiervan kan, vraag je beheerder om een inloglink en open die in deze browser.",
    back: "Terug",
  },
});
