import type { texts as english } from "../en/mail.ts";
import type { Translation } from "../translations.ts";

/** What the start page says where people sign in with a code by mail, in Italian. */
export const texts: Translation<typeof english> = () => ({
  mail: {
    address: "Il tuo indirizzo e-mail",
    send: "Inviami un codice",
    sending: "Invio…",
    noAccount: "Ricevi un codice via e-mail. Non hai un account? Chiedi all'amministratore.",
    empty: "Scrivi prima il tuo indirizzo.",
    malformed: "Un indirizzo è come ann@example.com.",
    sent: (address) => `Se ${address} è noto qui, un codice è in arrivo.`,
    hint: "Ha 8 cifre e funziona per 10 minuti, in questo browser. Non arriva? Guarda nella posta indesiderata.",
    code: "Codice dell'e-mail",
    emptyCode: "Scrivi prima il codice.",
    malformedCode: "Un codice ha 8 cifre.",
    wrong: "Questo codice non funziona. Usa quello della mail più recente. Dopo 5 codici errati te ne serve un altro.",
    over: "È scaduto, è già stato usato o sono stati scritti 5 codici errati. Invia un altro codice.",
    another: "Invia un altro codice",
    resent: (address) => `Se ${address} è noto qui, un altro codice è in arrivo. Funziona solo quello nuovo.`,
    otherAddress: "Altro indirizzo",
    limited: "Sono stati chiesti troppi codici. Riprova tra un quarto d'ora.",
  },
});
