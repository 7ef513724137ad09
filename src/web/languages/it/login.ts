import type { texts as english } from "../en/login.ts";
import type { Translation } from "../translations.ts";

/** What the screens say on which a person lets a terminal in, in Italian. */
export const texts: Translation<typeof english> = () => ({
  login: {
    title: "Autorizza un terminale",
    lede: "Scrivi il codice che “handoff login” mostra nel terminale.",
    code: "Codice",
    hint: "Ha 8 lettere. Maiuscole e trattino non contano.",
    goOn: "Continua",
    checking: "Verifica…",
    empty: "Scrivi prima il codice.",
    malformed: "Un codice ha 8 lettere, come BCDF-GHJK.",
    wrong: "Nessun terminale attende con questo codice: contiene un errore, è già stato usato o ha più di 10 minuti.",
    signIn: {
      title: "Prima accedi",
      text: "Solo chi ha effettuato l'accesso può autorizzare un terminale. Accedi in un'altra scheda e questa continua da sola.",
      kept: (code) => `Questa scheda conserva il codice ${code}.`,
      button: "Accedi",
    },
    terminal: {
      title: "Autorizzare questo terminale?",
      machine: "Computer",
      ownWord: "come si chiama da sé",
      address: "Indirizzo",
      unknown: "Sconosciuto",
      since: "Inizio",
      actsAs: "Agirà come",
      caution:
        "Continua solo se hai appena eseguito “handoff login” su questo computer. Se qualcuno ti ha inviato il codice, rifiuta: potrebbe agire a tuo nome.",
      allow: "Autorizza",
      allowing: "Autorizzazione…",
      refuse: "Rifiuta",
      refusing: "Rifiuto…",
    },
    allowed: {
      title: "Terminale autorizzato",
      text: "Torna al terminale. Il suo accesso dura al massimo 12 ore, e solo finché la tua sessione è aperta qui.",
    },
    refused: { title: "Terminale rifiutato", text: "Il terminale non è stato autorizzato." },
    gone: {
      title: "Questo terminale non attende più",
      text: "È già stato autorizzato o rifiutato, oppure il codice ha più di 10 minuti. Guarda il terminale. Se l'accesso non è riuscito, esegui di nuovo il comando.",
    },
    another: "Usa un altro codice",
  },
});
