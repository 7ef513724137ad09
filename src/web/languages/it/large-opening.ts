import type { texts as english } from "../en/large-opening.ts";
import type { Translation } from "../translations.ts";

/** What the screens of a large secret that is opened say, in Italian. */
export const texts: Translation<typeof english> = () => ({
  largeOpening: {
    noRoom: (size) =>
      `Questo browser non ha spazio per ${size}. Libera spazio e ricarica questa pagina, oppure apri il link con il comando «handoff open». Non hai ancora aperto il segreto.`,
    noRoomToCollect: (size) =>
      `Questo browser non ha spazio per ${size}. Libera spazio e riprova, oppure aprilo dalla riga di comando: scrivi «handoff collect -» e incolla il link di backup di questa richiesta.`,
    unable:
      "Questo browser non può conservare un segreto così grande. Nelle finestre private spesso non è possibile. Copia il link da dove l’hai ricevuto e aprilo in un altro browser o con il comando «handoff open». Non hai ancora aperto il segreto.",
    locked:
      "Il server ha consegnato il segreto a questa scheda. È ancora chiuso dalla frase segreta. Non chiudere questa scheda finché non l'hai aperto.",
    progressLabel: "Apertura",
    progress: (done, total) => `${done} di ${total}`,
    rate: (size) => `${size}/s`,
    left: (time) => `ancora ${time}`,
    keepOpen: "Non chiudere questa scheda finché non è arrivato tutto.",
    stop: "Interrompi",
    stopped: "Interrotto. Quello che era arrivato è stato eliminato.",
    unwritable:
      "Questo browser non può conservare il segreto: forse il disco è pieno. Quello che era arrivato è stato eliminato.",
    again: (time) => `Puoi riaprirlo in questa scheda fino alle ${time}.`,
    damaged:
      "Questo segreto è stato troncato o modificato, quindi non ne viene mostrato nulla. Chiedi che te lo inviino di nuovo.",
    saveAll: "Scarica tutto",
    zipping: (percent) => `Creo il ZIP… ${percent}%`,
    stored:
      "Questo browser lo conserva sul tuo dispositivo finché non chiudi questa pagina. Prima aspetta che i download siano finiti.",
    gone: "Questo browser non ha più il file. Se c'è ancora tempo, ricarica questa pagina per riaverlo.",
  },
});
