import type { texts as english } from "../en/submitting.ts";
import type { Translation } from "../translations.ts";

/** What the screens say on which text and files are put together, and those of a request, in Dutch. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  content: {
    label: "Geheim",
    placeholder: "Een wachtwoord, een sleutel, een notitie…",
    add: "Bestanden toevoegen",
    addFolder: "Map toevoegen",
    addPhoto: "Foto toevoegen",
    drop: "of sleep bestanden hierheen",
    dropNow: "Laat los om toe te voegen",
    room: (limit) => `Maximaal ${limit}`,
    used: (used, limit) => `${used} van ${limit}`,
    remove: (name) => `${name} verwijderen`,
    removeAll: "Alles verwijderen",
    moreFiles: (count) => plural(count, { one: "Nog 1 bestand", other: "Nog {n} bestanden" }),
    lines: (count) => plural(count, { one: "1 regel", other: "{n} regels" }),
    longText: "Te lang om hier te bewerken.",
    empty: "Typ iets of voeg een bestand toe.",
    sameName: (name) => `Er is al een bestand met de naam ${name}. Verwijder dat eerst of hernoem het andere.`,
    tooMany: "Dit zijn meer dan 10.000 bestanden, en die kan niemand uitpakken. Stop ze eerst in een archief.",
    tooLarge: (size, limit) => `Dit is te groot: ${size}. Het maximum is ${limit}.`,
    fileTooLarge: (name, size, limit) => `${name} is te groot: ${size}. Het maximum is ${limit}.`,
    badName: (name) => `Een bestand met de naam ‘${name}’ kan niet worden verstuurd. Hernoem het eerst.`,
    unreadable: (name) => `${name} kan niet worden gelezen. Bestaat het nog?`,
    moreRefused: (count) =>
      plural(count, {
        one: "Nog 1 bestand is niet toegevoegd.",
        other: "Nog {n} bestanden zijn niet toegevoegd.",
      }),
    shortcut: (keys) => `of druk op ${keys}`,
  },
  delivery: {
    encrypting: "Versleutelen…",
    encryptingText: "Het geheim is nog niet verstuurd.",
    sending: "Versturen…",
    sendingText: "Het is al versleuteld. Houd deze pagina open tot het klaar is.",
    progress: "Verstuurd",
    left: (time) => `Nog ongeveer ${time}`,
    waiting: "Wachten op antwoord van de server…",
    canceling: "Annuleren…",
    cancelingText: "Als het al is aangekomen, wordt het ingetrokken.",
    canceledBefore: "Geannuleerd. Er is niets verstuurd.",
  },
  submit: {
    title: "Iemand vraagt je om iets vertrouwelijks",
    titleBy: (name) => `${name} vraagt je om iets vertrouwelijks`,
    caution: "Ga alleen verder als je weet van wie je deze link hebt.",
    label: "Wat je aanlevert",
    placeholder: "Typ of plak het hier",
    terms: "Alleen wie erom vraagt, kan het lezen.",
    until: (when) => `De link verloopt ${when}.`,
    left: (count) =>
      plural(count, {
        one: "Je kunt 1 geheim aanleveren.",
        other: "Er kunnen {n} geheimen worden aangeleverd, één tegelijk.",
      }),
    button: "Aanleveren",
    showField: (name) => `${name} tonen`,
    hideField: (name) => `${name} verbergen`,
    wrongValues: {
      missing: "Vul dit in.",
      too_long: "Dit is te lang.",
      several_lines: "Dit is meer dan één regel.",
      control_character: "Hier staat een teken in dat niet kan worden verstuurd.",
    },
    joined: "Je hebt meerdere regels geplakt en die zijn één regel geworden. Controleer die.",
    canceled:
      "Geannuleerd. Misschien is het al aangekomen. Lever het voor de zekerheid opnieuw aan zonder iets te veranderen: dan telt het één keer.",
    swapped: {
      title: "Stop: verstuur niets",
      text: "De link is beschadigd, of de server probeert te lezen wat je verstuurt. Er is niets verstuurd. Kopieer de hele link opnieuw. Helpt dat niet? Vertel het de persoon van wie je de link hebt.",
    },
    noteBroken:
      "De toelichting bij dit verzoek is onleesbaar. De link is beschadigd, of de server heeft de toelichting veranderd. Er is niets verstuurd.",
    paused: {
      title: "Dit verzoek is gepauzeerd",
      text: "Je kunt nu niets aanleveren. Probeer het later opnieuw, of vraag het de persoon van wie je de link hebt.",
    },
    fulfilled: {
      title: "Dit is al aangeleverd",
      text: "Alles waar om is gevraagd, is aangeleverd, door jou of iemand anders. Meer is niet mogelijk.",
    },
    expired: { title: "Dit verzoek is verlopen", text: "Je kunt niets meer aanleveren. Vraag om een nieuwe link." },
    revoked: {
      title: "Dit verzoek is ingetrokken",
      text: "Je kunt niets meer aanleveren.",
    },
    notSent: "Je geheim is niet verstuurd.",
    kept: "Wat je hebt getypt, staat er nog.",
    earlierArrived:
      "Wat je eerst hebt verstuurd, is aangekomen en kan worden geopend. Wat je daarna hebt veranderd, is niet verstuurd. Geef dat door aan wie erom vroeg.",
    done: {
      title: "Aangeleverd",
      text: "Alleen wie erom vroeg, kan het openen. Je kunt deze pagina sluiten.",
      hadEarlier:
        "Wat je eerder zonder antwoord hebt verstuurd, is misschien ook aangekomen. Vertel aan wie erom vroeg welke de juiste is.",
      more: "Nog iets aanleveren",
      reference: "Kenmerk",
      referenceText: "Wie erom vroeg, kan je geheim hiermee terugvinden. Openen kan er niet mee.",
    },
  },
});
