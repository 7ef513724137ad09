import type { texts as english } from "../en/mail.ts";
import type { Translation } from "../translations.ts";

/** What the start page says where people sign in with a code by mail, in Dutch. */
export const texts: Translation<typeof english> = () => ({
  mail: {
    address: "Je mailadres",
    send: "Stuur me een code",
    sending: "Versturen…",
    noAccount: "Je krijgt een code per mail. Geen account? Vraag je beheerder.",
    empty: "Typ eerst je adres.",
    malformed: "Een adres is bijvoorbeeld ann@example.com.",
    sent: (address) => `Als ${address} hier bekend is, is er een code onderweg.`,
    hint: "Hij heeft 8 cijfers en werkt 10 minuten, in deze browser. Geen mail? Kijk in je spammap.",
    code: "Code uit de mail",
    emptyCode: "Typ eerst de code.",
    malformedCode: "Een code heeft 8 cijfers.",
    wrong: "Deze code werkt niet. Neem die uit de nieuwste mail. Na 5 foute heb je een andere nodig.",
    over: "Hij is verlopen of gebruikt, of er zijn 5 foute codes getypt. Stuur een andere code.",
    another: "Stuur een andere code",
    resent: (address) => `Als ${address} hier bekend is, is er een andere code onderweg. Alleen de nieuwe werkt.`,
    otherAddress: "Ander adres",
    limited: "Er zijn te veel codes gevraagd. Probeer het over een kwartier opnieuw.",
  },
});
