import type { texts as english } from "../en/document.ts";

/** What a document says without its script, in Italian. */
export const texts: typeof english = {
  noScript: {
    title: "Questa pagina ha bisogno di JavaScript",
    text: "Attiva JavaScript per decifrare nel tuo browser, poi ricarica la pagina. Oppure apri il link in una versione recente di Chrome, Edge, Firefox o Safari.",
  },
  late: {
    title: "Questa pagina non si è ancora caricata",
    text: "Una parte è ancora in arrivo, o non è arrivata. Ricarica la pagina. Se non basta, forse qualcosa blocca il suo JavaScript: apri il link in un altro browser.",
  },
  nowhere: {
    title: "A questo indirizzo non c’è niente",
    text: "Forse contiene un errore di battitura o è incompleto. Copia di nuovo il link intero.",
    start: "Vai alla pagina iniziale",
  },
  mailOff: {
    title: "Disattivare queste mail?",
    text: "Ti dicono che cosa succede a ciò che invii e chiedi.",
    button: "Disattiva",
  },
  mailIsOff: { title: "Queste mail sono disattivate", text: "Puoi riattivarle nel tuo account." },
  mailOffStale: {
    title: "Questo link non disattiva nulla",
    text: "È incompleto, o queste mail sono state riattivate. Usa il link della mail più recente, oppure scegli nel tuo account.",
  },
};
