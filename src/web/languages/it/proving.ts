import type { texts as english } from "../en/proving.ts";
import type { Translation } from "../translations.ts";

/** What the screens of a link that is for chosen people say, in Italian. */
export const texts: Translation<typeof english> = () => ({
  proof: {
    forAddress: (address) => `È per ${address}.`,
    forDomain: (domain) => `È per tutti gli indirizzi di ${domain}.`,
    forSeveral: "È per:",
    everyoneAt: (domain) => `Tutti gli indirizzi di ${domain}`,
    hint: "Scrivi il tuo indirizzo completo. Ricevi un codice via e-mail e non ti serve un account.",
    hintOne: (start, end) =>
      `Scrivi l'indirizzo completo: inizia con ${start} e finisce con ${end}. Ricevi un codice via e-mail e non ti serve un account.`,
    sent: (address) => `Se ${address} è uno degli indirizzi scelti, una mail con un codice è in arrivo.`,
    resent: (address) =>
      `Se ${address} è uno degli indirizzi scelti, una mail con un altro codice è in arrivo. Funziona solo quello nuovo.`,
    continue: "Continua",
    openAs: (address) => `Apri come ${address}`,
    continueAs: (address) => `Continua come ${address}`,
    notFor: (address) =>
      `Hai effettuato l'accesso come ${address}, e questo non è per quell'indirizzo. Usane un altro o chiedi a chi ti ha inviato il link.`,
    ended: "Hai confermato il tuo indirizzo più di 10 minuti fa. Chiedi un altro codice per continuare.",
    worth: "Il server verifica il tuo indirizzo. Tieni comunque segreto il link.",
    thenApproval: "Dopo, qualcuno deve autorizzarti prima che tu possa aprirlo.",
    noMail: "Questo server non invia mail. Accedi lì, poi apri di nuovo questo link.",
    signIn: "Accedi",
  },
});
