import type { texts as english } from "../en/account.ts";
import type { Translation } from "../translations.ts";

/** What a person's account says, in Italian. */
export const texts: Translation<typeof english> = ({ number }) => ({
  account: {
    browserOn: (browser, system) => `${browser} su ${system}`,
    unknownBrowser: "Browser sconosciuto",
    actionOn: (action, name) => `${action}: ${name}`,
    passkeys: {
      title: "Passkey",
      what: "Con una passkey accedi con l'impronta, il volto o un PIN, senza link.",
      none: "Non hai ancora una passkey.",
      unsupported: "Questo browser non può usare le passkey.",
      most: (count) => `Hai ${number(count)} passkey, il massimo. Rimuovine una prima di aggiungerne un'altra.`,
      added: (when) => `Aggiunta ${when}`,
      used: (when) => `Usata l'ultima volta ${when}`,
      unused: "Non ancora usata",
      add: "Aggiungi passkey",
      adding: "Aggiunta in corso…",
      isAdded: "Hai aggiunto la passkey.",
      remove: "Rimuovi",
      removing: "Rimozione…",
      isRemoved: "Hai rimosso la passkey.",
      sure: {
        title: "Rimuovere questa passkey?",
        text: "Non potrai più accedere con questa passkey. Il tuo dispositivo potrebbe conservarla finché non la elimini lì.",
        confirm: "Rimuovi",
      },
      known: "Lì hai già una passkey.",
      refused: "Il server non ha accettato la passkey. Riprova.",
      unusable: "Questo browser non può aggiungere una passkey qui. Prova con un altro browser.",
      offer: "Per non aver bisogno di un link la prossima volta, aggiungi una passkey.",
      later: "Non ora",
    },
    notices: {
      title: "Mail",
      what: (address) => `Queste mail arrivano a ${address}.`,
      opened: "Quando un tuo invio viene aperto",
      ending: "Un giorno prima che scada un invio che nessuno ha aperto",
      handedIn: "Quando qualcuno consegna qualcosa",
      asked: "Quando qualcuno aspetta la tua approvazione",
      isSaved: "Salvato.",
      whereSent: "Mandami una mail quando un mio invio viene aperto",
      whereAsked: "Mandami una mail quando qualcuno aspetta la mia approvazione",
    },
    sessions: {
      title: "Le tue sessioni",
      here: "Questo browser",
      since: (when) => `Aperta ${when}`,
      used: (when) => `Usata l'ultima volta ${when}`,
      signOut: "Esci",
      signingOut: "Uscita…",
      isSignedOut: "Quella sessione è chiusa.",
      others: "Esci dalle altre",
      areSignedOut: "Le altre sessioni sono chiuse.",
    },
  },
  again: {
    titles: {
      add: "Accedi di nuovo per aggiungere una passkey",
      remove: "Accedi di nuovo per rimuovere una passkey",
      terminal: "Accedi di nuovo per autorizzare un terminale",
    },
    text: "Hai effettuato l’accesso più di 15 minuti fa. Un nuovo accesso mostra che sei ancora tu.",
    otherwise:
      "Se niente di questo è possibile, chiedi all’amministratore un link di accesso e aprilo in questo browser.",
    back: "Indietro",
  },
});
