import type { texts as english } from "../en/landing.ts";
import type { Translation } from "../translations.ts";

/** What the start page says, and what signing in and out says, in Dutch. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  contact: "Hulp nodig? Vraag het aan",
  signIn: {
    title: "Inloggen",
    lede: "Je beheerder heeft deze link voor je gemaakt.",
    already:
      "Je bent in deze browser al ingelogd. Met deze link log je in als de persoon voor wie hij is gemaakt. Privésleutels van verzoeken blijven in deze browser tot je uitlogt.",
    once: "De link werkt één keer. Op een gedeelde computer log je uit als je klaar bent.",
    button: "Inloggen",
    busy: "Inloggen…",
    stay: "Ingelogd blijven",
    signedIn: "Je bent ingelogd",
    goOn: "Verder",
    signedInAs: (name, team) => `Je bent ingelogd als ${name}, ${team}.`,
    until: (when) => `Zonder gebruik word je ${when} uitgelogd.`,
    notYou: "Niet jij? Uitloggen",
    faults: {
      missing: {
        title: "Inloggen",
        text: "Open de hele inloglink van je beheerder, met het deel na #.",
      },
      cut: {
        title: "Deze inloglink is niet compleet",
        text: "Kopieer de hele link uit het bericht van je beheerder.",
      },
      long: {
        title: "Deze inloglink heeft te veel tekens",
        text: "Kopieer hem opnieuw, zonder de extra tekens.",
      },
      mistyped: {
        title: "In deze inloglink zit een typefout",
        text: "Kopieer hem opnieuw uit het bericht van je beheerder.",
      },
    },
    needsHttps: {
      title: "Deze browser heeft HTTPS nodig om in te loggen",
      text: "Het adres begint met http. In Safari en sommige andere browsers blijf je alleen via HTTPS ingelogd. Open de link in Chrome of Firefox, of vraag je beheerder om een HTTPS-adres. De link is hier niet gebruikt.",
    },
    noCookie: {
      title: "Deze browser houdt je niet ingelogd",
      text: "Hij weigert de cookie van deze pagina. Sta cookies voor dit adres toe en open je inloglink opnieuw. Werkt die niet meer? Vraag je beheerder om een nieuwe.",
    },
    refused: {
      title: "Deze inloglink werkt niet",
      text: "Hij is verlopen, gebruikt, vervangen of geannuleerd. Vraag je beheerder om een nieuwe.",
    },
    passkey: {
      button: "Inloggen met passkey",
      unknown:
        "Deze passkey werkt hier niet. Misschien is hij verwijderd. Gebruik een andere, of vraag je beheerder om een inloglink.",
      late: "Dat duurde te lang. Probeer het opnieuw.",
      unusable: "Deze browser kan hier geen passkey gebruiken. Open in plaats daarvan een inloglink van je beheerder.",
      noCookie:
        "Deze browser weigert de cookie van deze pagina. Sta cookies voor dit adres toe en probeer het opnieuw.",
    },
    keepTab: "Misschien is de link al gebruikt. Dan werkt hij alleen nog in dit tabblad.",
  },
  signOut: {
    stillSignedIn: {
      title: "Je bent nog ingelogd",
      text: "De server is niet bereikbaar. Controleer je verbinding en log opnieuw uit.",
    },
    unsavedElsewhere: {
      title: "Uitloggen?",
      text: "In een ander tabblad staat tekst die niet is verstuurd of een link die niet is gekopieerd. Die gaat verloren.",
      confirm: "Uitloggen",
    },
    losesKeys: (keys, toCollect) => ({
      title: "Uitloggen?",
      text: [
        plural(keys, {
          one: "Deze browser verwijdert de privésleutel van 1 verzoek. Zonder reservesleutel kan niemand openen wat wordt aangeleverd.",
          other:
            "Deze browser verwijdert de privésleutels van {n} verzoeken. Zonder reservesleutels kan niemand openen wat wordt aangeleverd.",
        }),
        toCollect > 0
          ? plural(toCollect, {
              one: "Er ligt nog 1 geheim klaar om op te halen.",
              other: "Er liggen nog {n} geheimen klaar om op te halen.",
            })
          : "",
      ]
        .filter(Boolean)
        .join(" "),
      confirm: "Uitloggen",
    }),
    keysLeft: {
      title: "Je bent uitgelogd",
      text: "De privésleutels van je verzoeken staan nog in deze browser. Wis de gegevens van deze site in de instellingen van de browser.",
    },
  },
  nothingAllowed: {
    title: "Je kunt nog niets versturen of opvragen",
    text: "Je bent ingelogd, maar je mag niets versturen of opvragen en geen status bekijken. Vraag het aan je beheerder.",
  },
  landing: {
    title: "Verstuur geheimen veilig",
    lede: "Wachtwoorden, sleutels en bestanden, versleuteld in je browser. De server kan ze niet lezen.",
    link: "Een link gekregen? Plak hem hier.",
    hint: "Je ziet eerst wat het is. Openen doe je daarna zelf.",
    steps: {
      encrypted: {
        title: "Hier verzegeld",
        text: "Je browser versleutelt het. De sleutel zit in de link en komt nooit bij de server.",
      },
      kept: {
        title: "Eén keer geopend",
        text: "De link werkt één keer, tenzij de afzender meer toestaat. Daarna verwijdert de server het.",
      },
      opened: {
        title: "Je weet wanneer",
        text: "De afzender ziet wanneer het is geopend.",
      },
    },
    signIn: "Iets versturen? Open de inloglink van je beheerder.",
    signInByAdmin: "Iets versturen? Daarvoor heb je een inloglink nodig. Vraag je beheerder erom.",
    withoutPasskey: "Nog geen passkey? Open de inloglink van je beheerder.",
    withoutPasskeyByAdmin: "Nog geen passkey? Vraag je beheerder om een inloglink.",
    contact: "Geen account, of hulp nodig? Vraag het aan",
    commandLine: "Opdrachtregel en API",
    commandLineText: "Met een API-sleutel van je beheerder werkt handoff ook in een terminal en in programma’s.",
    docs: "API-documentatie",
  },
});
