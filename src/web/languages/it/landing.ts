import type { texts as english } from "../en/landing.ts";
import type { Translation } from "../translations.ts";

/** What the start page says, and what signing in and out says, in Italian. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  contact: "Hai bisogno di aiuto? Chiedi a",
  signIn: {
    title: "Accedi",
    lede: "L'amministratore ha creato questo link per te.",
    already:
      "In questo browser c'è già una sessione aperta. Il link la sostituisce con quella della persona per cui è stato creato. Le chiavi private delle richieste restano in questo browser finché non esci.",
    once: "Il link funziona una volta sola. Se il computer è condiviso, esci quando hai finito.",
    button: "Accedi",
    busy: "Accesso…",
    stay: "Mantieni l'accesso",
    signedIn: "Hai già effettuato l'accesso",
    goOn: "Continua",
    signedInAs: (name, team) => `Hai effettuato l'accesso come ${name}, ${team}.`,
    until: (when) => `Se non la usi, la tua sessione si chiuderà ${when}.`,
    notYou: "Non sei tu? Esci",
    faults: {
      missing: {
        title: "Accedi",
        text: "Apri il link di accesso intero che ti ha dato l'amministratore, compresa la parte dopo #.",
      },
      cut: {
        title: "Questo link di accesso è incompleto",
        text: "Copia il link intero dal messaggio dell'amministratore.",
      },
      long: {
        title: "Questo link di accesso ha caratteri di troppo",
        text: "Copialo di nuovo senza.",
      },
      mistyped: {
        title: "Questo link di accesso contiene un errore",
        text: "Copialo di nuovo dal messaggio dell'amministratore.",
      },
    },
    needsHttps: {
      title: "Con questo browser serve HTTPS per accedere",
      text: "L'indirizzo inizia con http. Safari e alcuni altri browser mantengono la sessione solo con HTTPS. Apri il link in Chrome o Firefox, oppure chiedi all'amministratore un indirizzo con HTTPS. Qui il link non è stato usato.",
    },
    noCookie: {
      title: "Questo browser non mantiene la tua sessione",
      text: "Rifiuta il cookie di questa pagina. Consenti i cookie per questo indirizzo e riapri il tuo link di accesso. Se non funziona più, chiedine uno nuovo all'amministratore.",
    },
    refused: {
      title: "Questo link di accesso non funziona",
      text: "È scaduto, oppure è stato usato, sostituito o annullato. Chiedine uno nuovo all'amministratore.",
    },
    passkey: {
      button: "Accedi con passkey",
      unknown:
        "Questa passkey non funziona qui. Forse è stata rimossa. Usane un'altra o chiedi un link di accesso all'amministratore.",
      late: "È passato troppo tempo. Riprova.",
      unusable: "Questo browser non può usare una passkey qui. Apri invece un link di accesso dell'amministratore.",
      noCookie:
        "Questo browser rifiuta il cookie di questa pagina. Consenti i cookie per questo indirizzo, poi riprova.",
    },
    keepTab: "Forse il link è già stato usato: in quel caso funziona solo in questa scheda.",
  },
  signOut: {
    stillSignedIn: {
      title: "La tua sessione è ancora aperta",
      text: "Il server non è raggiungibile. Controlla la connessione ed esci di nuovo.",
    },
    unsavedElsewhere: {
      title: "Uscire?",
      text: "In un'altra scheda c'è un testo non inviato o un link non copiato, che andrà perso.",
      confirm: "Esci",
    },
    losesKeys: (keys, toCollect) => ({
      title: "Uscire?",
      text: [
        plural(keys, {
          one: "Questo browser eliminerà la chiave privata di 1 richiesta. Senza il suo backup, nessuno potrà aprire quello che viene consegnato.",
          other:
            "Questo browser eliminerà le chiavi private di {n} richieste. Senza i loro backup, nessuno potrà aprire quello che viene consegnato.",
        }),
        toCollect > 0
          ? plural(toCollect, { one: "C'è 1 segreto da ritirare.", other: "Ci sono {n} segreti da ritirare." })
          : "",
      ]
        .filter(Boolean)
        .join(" "),
      confirm: "Esci",
    }),
    keysLeft: {
      title: "La tua sessione è chiusa",
      text: "Questo browser non ha eliminato le chiavi private delle tue richieste. Elimina i dati di questo sito nelle impostazioni del browser.",
    },
  },
  nothingAllowed: {
    title: "Non puoi ancora inviare né chiedere",
    text: "La tua sessione è aperta, ma non hai il permesso di inviare, di chiedere o di vedere l'attività. Chiedi all'amministratore.",
  },
  landing: {
    title: "Invia segreti in sicurezza",
    lede: "Password, chiavi e file, cifrati nel tuo browser. Il server non può leggerli.",
    link: "Hai un link? Incollalo qui.",
    hint: "Vedrai di che si tratta prima di aprirlo.",
    steps: {
      encrypted: {
        title: "Sigillato qui",
        text: "Il tuo browser lo cifra. La chiave è nel link e non arriva mai al server.",
      },
      kept: {
        title: "Aperto una volta",
        text: "Funziona una volta sola, a meno che chi lo invia non ne permetta di più. Poi il server lo elimina.",
      },
      opened: {
        title: "Sai quando",
        text: "Chi lo ha inviato vede quando è stato aperto.",
      },
    },
    signIn: "Per inviare qualcosa, apri il link di accesso dell'amministratore.",
    signInByAdmin: "Per inviare qualcosa ti serve un link di accesso. Chiedilo all'amministratore.",
    withoutPasskey: "Non hai ancora una passkey? Apri il link di accesso dell'amministratore.",
    withoutPasskeyByAdmin: "Non hai ancora una passkey? Chiedi un link di accesso all'amministratore.",
    contact: "Non hai un account o hai una domanda? Chiedi a",
    commandLine: "Riga di comando e API",
    commandLineText: "Con una chiave API dell'amministratore, handoff funziona anche nel terminale e nei programmi.",
    docs: "Documentazione dell'API",
  },
});
