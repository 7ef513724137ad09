import type { texts as english } from "../en/large-sending.ts";
import type { Translation } from "../translations.ts";

/** What the screens say while a secret is sent in pieces, in Italian. */
export const texts: Translation<typeof english> = () => ({
  largeSending: {
    keepOpen:
      "Ogni parte viene cifrata prima di uscire. Tieni aperta questa scheda. Se la connessione cade o il dispositivo va in standby, l’invio riprende da dov’era.",
    rate: (size) => `${size}/s`,
    line: {
      title: "Il server non è raggiungibile",
      text: "L’invio riprende da dov’era appena torna la connessione. Tieni aperta questa scheda.",
    },
    server: {
      title: "In attesa del server",
      text: "Il server non è disponibile. L’invio riprende da dov’era appena possibile. Tieni aperta questa scheda.",
    },
    storage: {
      title: "In attesa del server",
      text: "Il server ora non può salvare nulla: forse il suo disco è pieno. L’invio riprende da dov’era appena possibile. Tieni aperta questa scheda.",
    },
    tryNow: "Prova ora",
    stopped:
      "Hai annullato, quindi non c’è nessun link. Il server elimina ciò che è arrivato, al più tardi dopo un giorno.",
    ended:
      "Il server ha chiuso l’invio, quindi non c’è nessun link. Ciò che hai scelto è ancora qui: invialo di nuovo.",
    stoppedHandIn:
      "Hai annullato, quindi non è stato consegnato nulla. Il server elimina ciò che è arrivato, al più tardi dopo un giorno.",
    maybeHandedIn: "Hai annullato, ma forse è già stato consegnato. Chiedi alla persona che te l’ha chiesto.",
    endedHandIn:
      "Il server ha interrotto il caricamento, quindi non è stato consegnato nulla. Ciò che hai scelto è ancora qui: consegnalo di nuovo.",
  },
});
