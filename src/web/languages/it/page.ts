import type { texts as english } from "../en/page.ts";
import type { Translation } from "../translations.ts";

/** What every screen may say, in Italian. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  language: "it",
  direction: "ltr",
  name: "handoff",
  loading: "Un momento…",
  slow: "Il server non ha ancora risposto.",
  frame: {
    promise: "Cifrato nel tuo browser. Questo server non può leggerlo.",
    about: "Come funziona",
    commandLine: "Riga di comando",
    api: "API",
    contact: "Aiuto",
    imprint: "Note legali",
    privacy: "Privacy",
    runOn: (host) => `Sei su ${host}. Questo server non può leggere quello che condividi.`,
    runBy: (name, host) => `Un servizio di ${name} su ${host}. Il server non può leggere quello che condividi.`,
    language: "Lingua",
  },
  cancel: "Annulla",
  leaving: {
    typed: {
      title: "Scartare quello che hai scritto?",
      text: "Non è stato inviato e questa pagina non lo conserva.",
      confirm: "Scarta",
    },
    link: {
      title: "Andare via senza copiare il link?",
      text: "Il link non verrà più mostrato.",
      confirm: "Vai via",
    },
    secret: {
      title: "Chiudere senza salvare il segreto?",
      text: "Non hai ancora copiato o salvato tutto.",
      confirm: "Chiudi",
    },
  },
  copy: "Copia",
  copied: "Copiato",
  notCopied: "Questo browser non permette alla pagina di copiare. Il testo è selezionato: copialo tu.",
  insecure: {
    title: "Questa pagina ha bisogno di HTTPS",
    text: "L'indirizzo inizia con http: qualcuno potrebbe intercettare la connessione, modificare questa pagina e prendere il segreto. Aprila con https. Se non funziona, avvisa chi ti ha inviato il link.",
  },
  broken: {
    title: "Questo link è incompleto",
    text: "Copia il link intero dal messaggio.",
  },
  tooLong: {
    title: "Questo link ha caratteri di troppo",
    text: "Copialo di nuovo senza.",
  },
  noKey: {
    title: "A questo link manca la chiave",
    text: "Alcune app tagliano la parte dopo #. Incolla qui il link intero.",
  },
  encodedKey: {
    title: "Questo link è cambiato per strada",
    text: "Un'app ha trasformato # in %23 e la chiave è arrivata al server. Per sicurezza, chiedi un nuovo link a chi te lo ha inviato. Se vuoi continuare lo stesso, incolla qui il link intero.",
  },
  newerLink: {
    title: "Questo link è di una versione più recente",
    text: "Il server di questa pagina è più vecchio del link. Avvisa chi lo gestisce.",
  },
  forgotten: {
    title: "Questa scheda non ha più la chiave",
    text: "Riapri il link dal messaggio.",
  },
  wrongLink: {
    title: "Questo link non funziona",
    text: "Forse contiene un errore, oppure non esiste più da tempo. Copia di nuovo il link intero o chiedine un altro a chi te lo ha inviato.",
  },
  paste: {
    label: "Incolla qui il link intero",
    button: "Apri",
    empty: "Incolla prima il link.",
    noLink: "Questo non è un link di handoff. Copialo di nuovo dal messaggio.",
    noKey: "Manca la parte che inizia con #: è la chiave.",
    kinds: {
      secret: "Questo link apre un segreto.",
      request: "Questo è un link di richiesta: serve a consegnare qualcosa.",
      backup: "Questo è un link di backup: apre ciò che è stato consegnato.",
    },
    elsewhere: (host) => `Questo link porta a un altro server, ${host}. Continua solo se lo conosci.`,
    openOn: (host) => `Vai a ${host}`,
  },
  tooMany: {
    title: "Troppi tentativi",
    text: "Questo link non funziona e dalla tua rete ci sono stati troppi tentativi falliti. Controllalo e riprova tra un minuto.",
  },
  failed: {
    title: "Non ha funzionato",
    bare: "Non ha funzionato.",
    back: "Non ha funzionato, ma ora il server risponde di nuovo. Riprova.",
    network: {
      title: "Il server non è raggiungibile",
      bare: "Il server non è raggiungibile.",
      lede: "Controlla la connessione e riprova.",
      text: "Il server non è raggiungibile. Controlla la connessione e riprova.",
    },
    busy: {
      title: "Il server non è disponibile",
      bare: "Il server non è disponibile.",
      lede: "Riprova tra un minuto.",
      text: "Il server non è disponibile. Riprova tra un minuto.",
    },
    answered: {
      title: "Non ha risposto il server",
      text: "Un altro sistema ha risposto al suo posto. La tua rete chiede di accedere, come in hotel? Controlla e riprova.",
    },
    limited: "Troppe azioni in poco tempo. Riprova tra un minuto.",
    other: "Qualcosa è andato storto. Riprova.",
    refused: "Il server non lo ha accettato. Riprovare non serve: avvisa chi lo gestisce.",
    stale: "Non è stato possibile caricare una parte di questa pagina. Controlla la connessione o ricarica la pagina.",
    quota: "Sul server non resta abbastanza spazio per questo team. Invia qualcosa di più piccolo o chiedi più spazio.",
    again: "Riprova",
  },
  retrying: {
    limited: "Troppi tentativi dalla tua rete.",
    again: (reason, seconds) =>
      plural(seconds, {
        one: `${reason} Nuovo tentativo tra 1 secondo…`,
        other: `${reason} Nuovo tentativo tra {n} secondi…`,
      }),
  },
  signedOut: {
    title: "La tua sessione è chiusa",
    text: "La tua sessione è chiusa. Accedi di nuovo in un'altra scheda, poi riprova qui.",
  },
  otherPerson: (name) => `Ora la sessione è di ${name}. Ricarica la pagina per continuare.`,
  justNow: "poco fa",
  onDay: (day) => day,
  atTime: (day, time) => `${day} alle ${time}`,
  timeLeft: (duration) => `Ancora ${duration}`,
  text: "Testo",
  theText: "Il testo",
  size: {
    about: (size) => `Circa ${size}`,
    lessThan: (size) => `Meno di ${size}`,
  },
  person: {
    according: "secondo questo server",
  },
  passphrase: {
    label: "Frase segreta",
    show: "Mostra la frase segreta",
    hide: "Nascondi la frase segreta",
  },
  titles: {
    send: "Invia un segreto",
    ask: "Chiedi un segreto",
  },
});
