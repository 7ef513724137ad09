import type { texts as english } from "../en/page.ts";
import type { Translation } from "../translations.ts";

/** What every screen may say, in Dutch. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  language: "nl",
  direction: "ltr",
  name: "handoff",
  loading: "Een ogenblik…",
  slow: "De server heeft nog niet geantwoord.",
  frame: {
    promise: "Versleuteld in je browser. Deze server kan het niet lezen.",
    about: "Zo werkt het",
    commandLine: "Opdrachtregel",
    api: "API",
    contact: "Hulp",
    imprint: "Colofon",
    privacy: "Privacy",
    runOn: (host) => `Je bent op ${host}. Deze server kan niet lezen wat je deelt.`,
    runBy: (name, host) => `${name} beheert deze server, ${host}. Die kan niet lezen wat je deelt.`,
    language: "Taal",
  },
  cancel: "Annuleren",
  leaving: {
    typed: {
      title: "Weggooien wat je hebt getypt?",
      text: "Het is nog niet verstuurd en blijft hier niet bewaard.",
      confirm: "Weggooien",
    },
    link: {
      title: "Weggaan zonder de link te kopiëren?",
      text: "De link wordt niet nog een keer getoond.",
      confirm: "Weggaan",
    },
    secret: {
      title: "Sluiten zonder het geheim te bewaren?",
      text: "Je hebt nog niet alles gekopieerd of opgeslagen.",
      confirm: "Sluiten",
    },
  },
  copy: "Kopiëren",
  copied: "Gekopieerd",
  notCopied: "In deze browser kan de pagina niet kopiëren. De tekst is geselecteerd: kopieer hem zelf.",
  insecure: {
    title: "Deze pagina heeft HTTPS nodig",
    text: "Het adres begint met http. Daardoor kan iemand onderweg deze pagina aanpassen en het geheim stelen. Open het adres met https. Lukt dat niet? Vertel het de persoon van wie je de link hebt.",
  },
  broken: {
    title: "Deze link is niet compleet",
    text: "Kopieer de hele link uit het bericht.",
  },
  tooLong: {
    title: "Deze link heeft te veel tekens",
    text: "Kopieer hem opnieuw, zonder de extra tekens.",
  },
  noKey: {
    title: "In deze link ontbreekt de sleutel",
    text: "Sommige apps knippen het deel na # eraf. Plak hier de hele link.",
  },
  encodedKey: {
    title: "Deze link is onderweg veranderd",
    text: "Een app heeft # in %23 veranderd. Daardoor is de sleutel naar de server gestuurd. Vraag de afzender voor de zekerheid om een nieuwe link. Je kunt hier ook gewoon de hele link plakken.",
  },
  newerLink: {
    title: "Deze link is voor een nieuwere versie",
    text: "De server van deze pagina is ouder dan de link. Vertel het de beheerder van de server.",
  },
  forgotten: {
    title: "Dit tabblad heeft de sleutel niet meer",
    text: "Open de link opnieuw vanuit het bericht.",
  },
  wrongLink: {
    title: "Deze link werkt niet",
    text: "Misschien zit er een typefout in of is hij al lang niet meer geldig. Kopieer de hele link opnieuw of vraag de afzender om een nieuwe.",
  },
  paste: {
    label: "Plak hier de hele link",
    button: "Openen",
    empty: "Plak eerst de link.",
    noLink: "Dit is geen link van handoff. Kopieer hem opnieuw uit het bericht.",
    noKey: "Het deel vanaf # ontbreekt. Dat is de sleutel.",
    kinds: {
      secret: "Deze link opent een geheim.",
      request: "Dit is een verzoeklink: daarmee lever je iets aan.",
      backup: "Dit is een back-uplink: die opent wat is aangeleverd.",
    },
    elsewhere: (host) => `Deze link gaat naar een andere server, ${host}. Ga er alleen heen als je die kent.`,
    openOn: (host) => `Naar ${host}`,
  },
  tooMany: {
    title: "Te veel pogingen",
    text: "Deze link werkt niet, en vanaf jouw netwerk zijn al te veel pogingen mislukt. Controleer de link en probeer het over een minuut opnieuw.",
  },
  failed: {
    title: "Dat is niet gelukt",
    bare: "Dat is niet gelukt.",
    back: "Dat is niet gelukt, maar de server antwoordt weer. Probeer het opnieuw.",
    network: {
      title: "De server is niet bereikbaar",
      bare: "De server is niet bereikbaar.",
      lede: "Controleer je verbinding en probeer het opnieuw.",
      text: "De server is niet bereikbaar. Controleer je verbinding en probeer het opnieuw.",
    },
    busy: {
      title: "De server is niet beschikbaar",
      bare: "De server is niet beschikbaar.",
      lede: "Probeer het over een minuut opnieuw.",
      text: "De server is niet beschikbaar. Probeer het over een minuut opnieuw.",
    },
    answered: {
      title: "Dit antwoord kwam niet van de server",
      text: "Iets tussen jou en de server heeft geantwoord. Moet je op dit netwerk misschien eerst inloggen, zoals in een hotel? Ga dat na en probeer het opnieuw.",
    },
    limited: "Dat ging te vaak achter elkaar. Probeer het over een minuut opnieuw.",
    other: "Er ging iets mis. Probeer het opnieuw.",
    refused: "De server accepteert dit niet. Opnieuw proberen helpt niet: vertel het de beheerder van de server.",
    stale: "Een deel van deze pagina kan niet worden geladen. Controleer je verbinding of laad de pagina opnieuw.",
    quota: "Op de server is niet genoeg ruimte over voor dit team. Stuur iets kleiners, of vraag om meer ruimte.",
    again: "Opnieuw proberen",
  },
  retrying: {
    limited: "Te veel pogingen vanaf jouw netwerk.",
    again: (reason, seconds) =>
      plural(seconds, {
        one: `${reason} Nieuwe poging over 1 seconde…`,
        other: `${reason} Nieuwe poging over {n} seconden…`,
      }),
  },
  signedOut: {
    title: "Je bent uitgelogd",
    text: "Je bent uitgelogd. Log in een ander tabblad opnieuw in en probeer het hier nog eens.",
  },
  otherPerson: (name) => `Nu is ${name} ingelogd. Laad de pagina opnieuw om door te gaan.`,
  justNow: "zojuist",
  onDay: (day) => `op ${day}`,
  atTime: (day, time) => `${day} om ${time}`,
  timeLeft: (duration) => `Nog ${duration}`,
  text: "Tekst",
  theText: "De tekst",
  size: {
    about: (size) => `Ongeveer ${size}`,
    lessThan: (size) => `Minder dan ${size}`,
  },
  person: {
    according: "volgens deze server",
  },
  passphrase: {
    label: "Wachtzin",
    show: "Wachtzin tonen",
    hide: "Wachtzin verbergen",
  },
  titles: {
    send: "Geheim versturen",
    ask: "Geheim opvragen",
  },
});
