import type { texts as english } from "../en/opening.ts";
import type { Translation } from "../translations.ts";

/** What the screens of a secret that is opened say, in Dutch. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  open: {
    title: "Iemand stuurt je iets vertrouwelijks",
    titleBy: (name) => `${name} stuurt je iets vertrouwelijks`,
    titleHere: "Vul de wachtzin in",
    files: (count) => plural(count, { one: "1 bestand", other: "{n} bestanden" }),
    both: (count) => plural(count, { one: "Tekst en 1 bestand", other: "Tekst en {n} bestanden" }),
    times: (left) => plural(left, { one: "Eén keer te openen", other: "{n} keer te openen" }),
    moreTimes: (left) => plural(left, { other: "Nog {n} keer te openen" }),
    until: (when) => `Verloopt ${when}`,
    passphraseHint: "Je krijgt hem van de afzender. Je mag het zo vaak proberen als je wilt.",
    taken: "Het geheim is hier, nog vergrendeld met de wachtzin. Houd dit tabblad open tot je het hebt gelezen.",
    takenHere:
      "Het geheim is hier, nog vergrendeld met de wachtzin. Deze browser kan het niet bewaren: sluit of herlaad dit tabblad pas als je het hebt gelezen.",
    notYet: "Je hebt het geheim nog niet geopend.",
    maybe: "Misschien heeft de server het geheim al vrijgegeven. Probeer het meteen opnieuw, in dit tabblad.",
    maybeTrying:
      "Misschien heeft de server het geheim al vrijgegeven. Dit tabblad probeert het opnieuw: laat het open.",
    refusedTrying: "De server antwoordt dat er niets is vrijgegeven. Dit tabblad probeert het opnieuw.",
    emptyPassphrase: "Vul eerst de wachtzin in.",
    spaces: "Er staat een spatie aan het begin of eind. Werkt dat niet, dan wordt het zonder die spatie geprobeerd.",
    wrongPassphrase: "Deze wachtzin klopt niet. Controleer hem en probeer het opnieuw.",
    passphraseMissing:
      "Je hebt ook een wachtzin nodig. Vraag de afzender ernaar of vergelijk deze link met het origineel.",
    beWary: "Verwacht je dit niet? Vraag het na bij de persoon van wie je de link hebt voordat je het opent.",
    beWaryOf: (name) => `Verwacht je dit niet? Vraag het na bij ${name} voordat je het opent.`,
    button: "Geheim openen",
    opening: (percent) => (percent < 100 ? `Openen… ${percent}%` : "Openen…"),
  },
  opened: {
    text: "Geheim",
    file: "Bestand",
    from: (name) => `Van ${name}`,
    theTextIsHidden: "De tekst is verborgen",
    hidden: (characters) => plural(characters, { one: "Verborgen, 1 teken", other: "Verborgen, {n} tekens" }),
    lines: (count) => plural(count, { one: "Tekst, 1 regel", other: "Tekst, {n} regels" }),
    fields: (count) => plural(count, { one: "1 veld", other: "{n} velden" }),
    hide: "Verbergen",
    show: "Tonen",
    showAgain: "Opnieuw tonen",
    hideAll: "Alles verbergen",
    showAll: "Alles tonen",
    copyAll: "Alles kopiëren",
    copyThis: (name) => `${name} kopiëren`,
    copiedThis: (name) => `${name} gekopieerd`,
    showThis: (name) => `${name} tonen`,
    hideThis: (name) => `${name} verbergen`,
    download: (name) => `${name} downloaden`,
    save: "Downloaden",
    saveAll: "Als ZIP downloaden",
    saved: (size) => `${size} · gedownload`,
    archive: "secret.zip",
    notZipped: "Er kan geen ZIP worden gemaakt. Controleer je verbinding of download de bestanden één voor één.",
    preview: (name) => `Voorbeeld van ${name}`,
    noPreview: "Deze browser kan het niet tonen. Download het om het te bekijken.",
    keep: "Bewaar het nu. Je kunt het niet opnieuw bekijken.",
    keepNow: "Bewaar het nu.",
    keepInTab: (left) => `Bewaar het nu. Je kunt het in dit tabblad nog ${left} lang opnieuw bekijken.`,
    keepInBrowser: (left) => `Bewaar het nu. Je kunt het in deze browser nog ${left} lang opnieuw bekijken.`,
    timeLeft: "Resterende tijd",
    find: "Zoek een bestand",
    noneFound: "Er is geen bestand met deze naam.",
    showMore: (count) => plural(count, { other: "Nog {n} tonen" }),
    left: (left) => plural(left, { other: "De link kan nog {n} keer worden geopend." }),
    noFiles: "Er zitten geen bestanden in, alleen mappen.",
    longText: "Dit is alleen het begin. Met Kopiëren of Downloaden krijg je alles.",
    textFile: "secret.txt",
    cannotOpen: "Dit geheim kan niet worden geopend",
    undecryptable:
      "Dit kan niet worden ontsleuteld: de link of de wachtzin hoort er niet bij, of het is veranderd. Vraag of het opnieuw wordt gestuurd.",
    unsafe:
      "Het archief in dit geheim kan niet worden uitgepakt: het is onveilig of ongewoon, of bevat te veel bestanden. Vraag of het opnieuw wordt gestuurd.",
    damaged:
      "Dit archief is beschadigd, dus de bestanden zijn niet te zien. Je kunt het downloaden zoals het is. Vraag ook of het opnieuw wordt gestuurd.",
    refused: {
      version: "Deze pagina kent de indeling van dit geheim niet. Vertel het de beheerder van de server.",
      settings:
        "Dit geheim is versleuteld met instellingen die deze pagina weigert, want het openen zou heel lang kunnen duren. Vraag of het opnieuw wordt gestuurd, met handoff.",
      otherwise:
        "Dit geheim is versleuteld voor een andere sleutel, dus deze pagina kan het niet openen. Vraag of het opnieuw wordt gestuurd.",
    },
    erase: "Klaar, nu wissen",
    erasing: "Wissen…",
    eraseFirst: (rest) => ({
      title: "Wissen zonder het geheim te bewaren?",
      text: `Je hebt nog niet alles gekopieerd of opgeslagen. ${rest}`,
      confirm: "Wissen",
    }),
    notAgain: "Je kunt het niet opnieuw bekijken.",
    maybeNotAgain: "Misschien kun je het niet nog eens openen.",
    notErased: "Het wissen op de server is niet gelukt. Probeer het opnieuw of laat de tijd aflopen.",
    erased: {
      title: "Gewist",
      text: "Het geheim is verwijderd van de server en van deze pagina. Je kunt de pagina sluiten.",
    },
    erasedHere: (rest) => ({ title: "Hier gewist", text: `Het geheim is van deze pagina verwijderd. ${rest}` }),
    canClose: "Je kunt de pagina sluiten.",
  },
  ended: {
    titles: {
      opened: "Dit geheim is al geopend",
      openedByYou: "Je hebt dit geheim geopend",
      expired: "Dit geheim is verlopen",
    },
    claimed: (when) => ({
      text: `Het is ${when} geopend.`,
      warning: "Was jij dat niet? Vertel het de afzender: misschien heeft iemand anders het.",
    }),
    claimedTimes: (times, when) => ({
      text: plural(times, {
        one: `Het is ${when} geopend.`,
        other: `Het is {n} keer geopend, voor het laatst ${when}.`,
      }),
      warning: "Weet je daar niets van? Vertel het de afzender: misschien heeft iemand anders het.",
    }),
    claimLost: (when, asked) => ({
      text: `Het is ${when} geopend. Dit tabblad wilde het ${asked} openen, maar kreeg nooit antwoord. Vraag de afzender het opnieuw te sturen.`,
      warning: "Zijn de tijden verschillend? Dan heeft misschien iemand anders het.",
    }),
    openedElsewhere: (time) => `Je hebt het hier om ${time} geopend, in een ander tabblad.`,
    askedElsewhere: {
      title: "Je opent dit geheim al",
      text: "Een ander tabblad opent het, maar heeft nog geen antwoord gekregen.",
    },
    again: (left) => `Je kunt het nog ${left} lang opnieuw bekijken.`,
    openedHere: (when) => `Je hebt het ${when} geopend. Heb je het nog eens nodig? Vraag het de afzender.`,
    openedOneOfSeveral: (when, left) =>
      plural(left, {
        other: `Je hebt het ${when} geopend. De laatste keer dat je het hier had, kon de link nog {n} keer worden geopend. Open hem opnieuw vanuit het bericht.`,
      }),
    expired: (when) => `Het is ${when} verlopen. Vraag de afzender om een nieuwe link.`,
    neverOpened: (when) => `Het is ${when} verlopen en nooit geopend. Vraag de afzender om een nieuwe link.`,
    revoked: (when) => ({
      title: "Dit geheim is ingetrokken",
      text: `Het is ${when} ingetrokken. Heb je het nodig? Vraag het de afzender.`,
    }),
  },
});
