import type { texts as english } from "../en/submitting.ts";
import type { Translation } from "../translations.ts";

/** What the screens say on which text and files are put together, and those of a request, in Italian. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  content: {
    label: "Segreto",
    placeholder: "Una password, una chiave, una nota…",
    add: "Aggiungi file",
    addFolder: "Aggiungi cartella",
    addPhoto: "Aggiungi foto",
    drop: "o trascina i file qui",
    dropNow: "Rilascia per aggiungere",
    room: (limit) => `Fino a ${limit}`,
    used: (used, limit) => `${used} di ${limit}`,
    remove: (name) => `Rimuovi ${name}`,
    removeAll: "Rimuovi tutto",
    moreFiles: (count) => plural(count, { one: "1 altro file", other: "altri {n} file" }),
    lines: (count) => plural(count, { one: "1 riga", other: "{n} righe" }),
    longText: "Troppo lungo per modificarlo qui.",
    empty: "Scrivi qualcosa o aggiungi un file.",
    sameName: (name) => `C'è già un file di nome ${name}. Rimuovilo prima, oppure rinomina l'altro.`,
    tooMany: "Sono più di 10.000 file e nessuno riuscirebbe a estrarli. Mettili prima in un archivio ZIP.",
    tooLarge: (size, limit) => `È troppo grande: occupa ${size} e il limite è ${limit}.`,
    fileTooLarge: (name, size, limit) => `${name} è troppo grande: occupa ${size} e il limite è ${limit}.`,
    badName: (name) => `Non si può inviare un file di nome “${name}”. Rinominalo prima.`,
    unreadable: (name) => `Non è stato possibile leggere ${name}. È ancora al suo posto?`,
    moreRefused: (count) =>
      plural(count, {
        one: "Anche 1 altro file non è stato aggiunto.",
        other: "Anche altri {n} file non sono stati aggiunti.",
      }),
    shortcut: (keys) => `o premi ${keys}`,
  },
  delivery: {
    encrypting: "Cifratura…",
    encryptingText: "Il segreto non è ancora stato inviato.",
    sending: "Invio…",
    sendingText: "È già cifrato. Tieni aperta questa pagina finché non ha finito.",
    progress: "Inviato",
    left: (time) => `Ancora ${time} circa`,
    waiting: "In attesa della risposta del server…",
    canceling: "Annullamento…",
    cancelingText: "Se è già arrivato, viene revocato.",
    canceledBefore: "Hai annullato. Non è stato inviato nulla.",
  },
  submit: {
    title: "Ti hanno chiesto dati riservati",
    titleBy: (name) => `${name} ti chiede dati riservati`,
    caution: "Continua solo se sai chi ti ha inviato questo link.",
    label: "Quello che consegni",
    placeholder: "Scrivilo o incollalo qui",
    terms: "Solo chi lo ha chiesto può leggerlo.",
    until: (when) => `Il link scade ${when}.`,
    left: (count) =>
      plural(count, {
        one: "Si può consegnare 1 segreto.",
        other: "Si possono consegnare {n} segreti, uno alla volta.",
      }),
    button: "Consegna",
    showField: (name) => `Mostra ${name}`,
    hideField: (name) => `Nascondi ${name}`,
    wrongValues: {
      missing: "Compila questo campo.",
      too_long: "È troppo lungo.",
      several_lines: "Può avere una sola riga.",
      control_character: "Contiene un carattere che non si può inviare.",
    },
    joined: "Hai incollato più righe, che sono diventate una sola. Controllala.",
    canceled:
      "Hai annullato, ma forse è già arrivato. Per sicurezza, consegnalo di nuovo senza cambiare nulla: così conta una volta sola.",
    swapped: {
      title: "Fermati: non inviare nulla",
      text: "Il link è danneggiato, oppure il server sta cercando di leggere quello che invii. Non è stato inviato nulla. Copia di nuovo il link intero. Se non basta, avvisa chi te lo ha inviato.",
    },
    noteBroken:
      "Non è stato possibile leggere la nota di questa richiesta. Il link è danneggiato, oppure il server l'ha modificata. Non è stato inviato nulla.",
    paused: {
      title: "Questa richiesta è in pausa",
      text: "Ora non si può consegnare nulla. Riprova più tardi o chiedi a chi ti ha inviato il link.",
    },
    fulfilled: {
      title: "È già stato consegnato tutto",
      text: "Quello che era stato chiesto è già stato consegnato, da te o da qualcun altro. Non si accetta altro.",
    },
    expired: { title: "Questa richiesta è scaduta", text: "Non accetta più segreti. Chiedi un nuovo link." },
    revoked: {
      title: "Questa richiesta è stata revocata",
      text: "Non accetta più segreti.",
    },
    notSent: "Il tuo segreto non è stato inviato.",
    kept: "Quello che hai scritto è ancora qui.",
    earlierArrived:
      "Il tuo primo invio è arrivato e chi lo ha chiesto può aprirlo. Quello che hai cambiato dopo non è stato inviato: avvisa la persona.",
    done: {
      title: "Consegnato",
      text: "Solo chi lo ha chiesto può aprirlo. Ora puoi chiudere questa pagina.",
      hadEarlier:
        "Forse è arrivato anche il tuo invio precedente, rimasto senza risposta. Di' a chi lo ha chiesto qual è quello giusto.",
      more: "Consegnane un altro",
      reference: "Riferimento",
      referenceText: "Serve a chi lo ha chiesto per ritrovarlo. Non permette di aprire il segreto.",
    },
  },
});
