import type { texts as english } from "../en/people.ts";
import type { Translation } from "../translations.ts";

/** What the screens say about the people whom a secret or a request is for, in Italian. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  people: {
    whoOpens: "Chi può aprirlo?",
    whoHandsIn: "Chi può consegnare?",
    everyone: "Chiunque abbia il link",
    hint: "Scrivi indirizzi e-mail, o *@example.com per un intero dominio.",
    worth:
      "Il server lo verifica con un codice che invia all'indirizzo. Chi gestisce il server potrebbe saltare la verifica, quindi tieni segreto il link.",
    only: "solo persone scelte",
    remove: (address) => `Rimuovi ${address}`,
    wrong: "Questo non è un indirizzo. Un indirizzo è come ann@example.com.",
    tooMany: (most) => `Scegline al massimo ${most}.`,
    required: "Le regole del tuo team chiedono di dire chi.",
    onlyAt: (domains: string) => `Le regole del tuo team ammettono solo persone di: ${domains}.`,
    refused: "Il server non accetta uno di questi indirizzi. Controllali.",
    chosen: "Per",
    lede: (times, when) =>
      plural(times, {
        one: `Solo le persone che hai scelto possono aprire il segreto, una volta, fino a ${when}. Il link non verrà più mostrato.`,
        other: `Solo le persone che hai scelto possono aprire il segreto, {n} volte, fino a ${when}. Il link non verrà più mostrato.`,
      }),
    asked: "Lo hai chiesto",
    opened: (address) => `Aperto da ${address}, indirizzo verificato`,
    handedIn: (address) => `Consegnato da ${address}, indirizzo verificato`,
    refusedOne: (address) =>
      `Qualcuno con il link ha indicato l'indirizzo ${address} e non ha dimostrato di avere uno di quelli scelti`,
    refusedUnnamed: "Qualcuno con il link non ha dimostrato di avere uno degli indirizzi scelti",
  },
});
