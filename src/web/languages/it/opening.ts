import type { texts as english } from "../en/opening.ts";
import type { Translation } from "../translations.ts";

/** What the screens of a secret that is opened say, in Italian. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  open: {
    title: "Hai ricevuto dati riservati",
    titleBy: (name) => `${name} ti ha inviato dati riservati`,
    titleHere: "Scrivi la frase segreta",
    files: (count) => plural(count, { one: "1 file", other: "{n} file" }),
    both: (count) => plural(count, { one: "Testo e 1 file", other: "Testo e {n} file" }),
    times: (left) => plural(left, { one: "Si apre una volta", other: "Si apre {n} volte" }),
    moreTimes: (left) => plural(left, { one: "Si apre ancora 1 volta", other: "Si apre ancora {n} volte" }),
    until: (when) => `Scade ${when}`,
    passphraseHint: "Chiedila a chi ti ha inviato il segreto. Puoi provare quante volte vuoi.",
    taken: "Il segreto è qui, ancora chiuso dalla frase segreta. Non chiudere questa scheda finché non l'hai letto.",
    takenHere:
      "Il segreto è qui, ancora chiuso dalla frase segreta. Questo browser non può conservarlo: non chiudere e non ricaricare questa scheda finché non l'hai letto.",
    notYet: "Non hai ancora aperto il segreto.",
    maybe: "Forse il segreto è già uscito dal server. Riprova subito in questa scheda.",
    maybeTrying: "Forse il segreto è già uscito dal server. Questa scheda sta riprovando: non chiuderla.",
    refusedTrying: "Il server ha risposto che il segreto è ancora lì. Questa scheda sta riprovando.",
    emptyPassphrase: "Scrivi prima la frase segreta.",
    spaces: "Inizia o finisce con uno spazio. Se così non funziona, si prova anche senza.",
    wrongPassphrase: "Questa frase segreta non funziona. Controllala e riprova.",
    passphraseMissing:
      "Serve anche una frase segreta. Chiedila a chi ti ha inviato il link o confronta questo link con l'originale.",
    beWary: "Non te lo aspettavi? Prima di aprire, chiedi a chi ti ha inviato il link.",
    beWaryOf: (name) => `Non te lo aspettavi? Prima di aprire, chiedi a ${name}.`,
    button: "Apri il segreto",
    opening: (percent) => (percent < 100 ? `Apertura… ${percent}%` : "Apertura…"),
  },
  opened: {
    text: "Segreto",
    file: "File",
    from: (name) => `Da ${name}`,
    theTextIsHidden: "Il testo è nascosto",
    hidden: (characters) =>
      plural(characters, {
        one: "Nascosto, 1 carattere",
        many: "Nascosto, {n} di caratteri",
        other: "Nascosto, {n} caratteri",
      }),
    lines: (count) => plural(count, { one: "Testo, 1 riga", other: "Testo, {n} righe" }),
    fields: (count) => plural(count, { one: "1 campo", other: "{n} campi" }),
    hide: "Nascondi",
    show: "Mostra",
    showAgain: "Mostra di nuovo",
    hideAll: "Nascondi tutto",
    showAll: "Mostra tutto",
    copyAll: "Copia tutto",
    copyThis: (name) => `Copia ${name}`,
    copiedThis: (name) => `Hai copiato ${name}`,
    showThis: (name) => `Mostra ${name}`,
    hideThis: (name) => `Nascondi ${name}`,
    download: (name) => `Scarica ${name}`,
    save: "Scarica",
    saveAll: "Scarica tutto in ZIP",
    saved: (size) => `${size} · scaricato`,
    archive: "secret.zip",
    notZipped: "Non è stato possibile creare lo ZIP. Controlla la connessione o scarica i file uno alla volta.",
    preview: (name) => `Anteprima di ${name}`,
    noPreview: "Questo browser non può mostrarlo. Scaricalo.",
    keep: "Salvalo adesso. Non potrà più essere mostrato.",
    keepNow: "Salvalo adesso.",
    keepInTab: (left) => `Salvalo adesso. Hai ${left} per rivederlo in questa scheda.`,
    keepInBrowser: (left) => `Salvalo adesso. Hai ${left} per rivederlo in questo browser.`,
    timeLeft: "Tempo rimasto",
    find: "Cerca un file",
    noneFound: "Nessun file ha questo nome.",
    showMore: (count) => plural(count, { one: "Mostra un altro", other: "Mostra altri {n}" }),
    left: (left) =>
      plural(left, {
        one: "Il link può essere aperto ancora 1 volta.",
        other: "Il link può essere aperto ancora {n} volte.",
      }),
    noFiles: "Non contiene file, solo cartelle.",
    longText: "Questo è solo l'inizio. Se copi o scarichi, prendi tutto il testo.",
    textFile: "secret.txt",
    cannotOpen: "Questo segreto non si può aprire",
    undecryptable:
      "Non è stato possibile decifrarlo: il link o la frase segreta non corrisponde, oppure il contenuto è stato modificato. Chiedi che te lo inviino di nuovo.",
    unsafe:
      "Non è stato possibile estrarre il contenuto di questo segreto: non è sicuro, è insolito o ha troppi file. Chiedi che te lo inviino di nuovo.",
    damaged:
      "Questo archivio è danneggiato e i suoi file non possono essere mostrati. Puoi scaricarlo così com'è e chiedere che te lo inviino di nuovo.",
    refused: {
      version: "Questa pagina non conosce il formato di questo segreto. Avvisa chi gestisce il server.",
      settings:
        "Questo segreto è stato cifrato con impostazioni che questa pagina rifiuta, perché aprirlo potrebbe richiedere moltissimo tempo. Chiedi che te lo inviino di nuovo con handoff.",
      otherwise:
        "Questo segreto è stato cifrato per un'altra chiave e questa pagina non può aprirlo. Chiedi che te lo inviino di nuovo.",
    },
    erase: "Fatto, elimina ora",
    erasing: "Eliminazione…",
    eraseFirst: (rest) => ({
      title: "Eliminare senza salvare il segreto?",
      text: `Non hai ancora copiato o salvato tutto. ${rest}`,
      confirm: "Elimina",
    }),
    notAgain: "Non potrà più essere mostrato.",
    maybeNotAgain: "Forse non potrai più aprirlo.",
    notErased: "Non è stato possibile chiedere al server di eliminarlo. Riprova o lascia scadere il tempo.",
    erased: {
      title: "Eliminato",
      text: "Il segreto è stato eliminato dal server e da questa pagina. Ora puoi chiuderla.",
    },
    erasedHere: (rest) => ({ title: "Eliminato qui", text: `Il segreto è stato eliminato da questa pagina. ${rest}` }),
    canClose: "Ora puoi chiuderla.",
  },
  ended: {
    titles: {
      opened: "Questo segreto è già stato aperto",
      openedByYou: "Hai già aperto questo segreto",
      expired: "Questo segreto è scaduto",
    },
    claimed: (when) => ({
      text: `È stato aperto ${when}.`,
      warning: "Se non lo hai aperto tu, avvisa chi te lo ha inviato: potrebbe averlo qualcun altro.",
    }),
    claimedTimes: (times, when) => ({
      text: plural(times, {
        one: `È stato aperto ${when}.`,
        other: `È stato aperto {n} volte, l'ultima ${when}.`,
      }),
      warning: "Se non ne sapevi nulla, avvisa chi te lo ha inviato: potrebbe averlo qualcun altro.",
    }),
    claimLost: (when, asked) => ({
      text: `È stato aperto ${when}. Questa scheda ha provato ad aprirlo ${asked}, ma la risposta non è mai arrivata. Chiedi che te lo inviino di nuovo.`,
      warning: "Se gli orari non coincidono, potrebbe averlo qualcun altro.",
    }),
    openedElsewhere: (time) => `Lo hai aperto qui alle ${time}, in un'altra scheda.`,
    askedElsewhere: {
      title: "Stai aprendo questo segreto",
      text: "Un'altra scheda ha provato ad aprirlo e non ha ancora ricevuto risposta.",
    },
    again: (left) => `Hai ${left} per rivederlo.`,
    openedHere: (when) => `Lo hai aperto ${when}. Se ti serve di nuovo, chiedilo a chi te lo ha inviato.`,
    openedOneOfSeveral: (when, left) =>
      plural(left, {
        one: `Lo hai aperto ${when}. L'ultima volta che lo hai visto qui, il link poteva essere aperto ancora 1 volta. Riaprilo dal messaggio.`,
        other: `Lo hai aperto ${when}. L'ultima volta che lo hai visto qui, il link poteva essere aperto ancora {n} volte. Riaprilo dal messaggio.`,
      }),
    expired: (when) => `È scaduto ${when}. Chiedi un nuovo link a chi te lo ha inviato.`,
    neverOpened: (when) =>
      `È scaduto ${when} senza che nessuno lo aprisse. Chiedi un nuovo link a chi te lo ha inviato.`,
    revoked: (when) => ({
      title: "Questo segreto è stato revocato",
      text: `È stato revocato ${when}. Se ti serve, chiedilo a chi te lo ha inviato.`,
    }),
  },
});
