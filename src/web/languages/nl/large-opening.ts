import type { texts as english } from "../en/large-opening.ts";
import type { Translation } from "../translations.ts";

/** What the screens of a large secret that is opened say, in Dutch. */
export const texts: Translation<typeof english> = () => ({
  largeOpening: {
    noRoom: (size) =>
      `Deze browser heeft geen ruimte voor ${size}. Maak ruimte vrij en laad deze pagina opnieuw, of open de link met de opdracht ‘handoff open’. Je hebt het geheim nog niet geopend.`,
    noRoomToCollect: (size) =>
      `Deze browser heeft geen ruimte voor ${size}. Maak ruimte vrij en probeer het opnieuw, of open het op de opdrachtregel: typ ‘handoff collect -’ en plak de back-uplink van dit verzoek.`,
    unable:
      "Deze browser kan zo'n groot geheim niet opslaan. In privévensters kan dat vaak niet. Kopieer de link van waar je die gekregen hebt, en open die in een andere browser of met de opdracht ‘handoff open’. Je hebt het geheim nog niet geopend.",
    locked:
      "De server heeft het geheim aan dit tabblad gegeven. Het is nog vergrendeld met de wachtzin. Houd dit tabblad open tot je het hebt geopend.",
    progressLabel: "Openen",
    progress: (done, total) => `${done} van ${total}`,
    rate: (size) => `${size}/s`,
    left: (time) => `nog ${time}`,
    keepOpen: "Houd dit tabblad open tot alles er is.",
    stop: "Stoppen",
    stopped: "Gestopt. Wat er al was, is verwijderd.",
    unwritable: "Deze browser kan het geheim niet opslaan: misschien is de schijf vol. Wat er al was, is verwijderd.",
    again: (time) => `Je kunt het tot ${time} opnieuw openen in dit tabblad.`,
    damaged:
      "Dit geheim is afgebroken of veranderd, dus er wordt niets van getoond. Vraag of het opnieuw wordt gestuurd.",
    saveAll: "Alles downloaden",
    zipping: (percent) => `ZIP maken… ${percent}%`,
    stored:
      "Deze browser bewaart het op je apparaat tot je deze pagina sluit. Wacht eerst tot je downloads klaar zijn.",
    gone: "Deze browser heeft het bestand niet meer. Laad deze pagina opnieuw om het nog eens op te halen, zolang er tijd is.",
  },
});
