import type { texts as english } from "../en/proving.ts";
import type { Translation } from "../translations.ts";

/** What the screens of a link that is for chosen people say, in Dutch. */
export const texts: Translation<typeof english> = () => ({
  proof: {
    forAddress: (address) => `Dit is voor ${address}.`,
    forDomain: (domain) => `Dit is voor iedereen bij ${domain}.`,
    forSeveral: "Dit is voor:",
    everyoneAt: (domain) => `Iedereen bij ${domain}`,
    hint: "Typ je hele adres. Je krijgt een code per mail en hebt geen account nodig.",
    hintOne: (start, end) =>
      `Typ het hele adres: het begint met ${start} en eindigt op ${end}. Je krijgt een code per mail en hebt geen account nodig.`,
    sent: (address) => `Als ${address} een van de gekozen adressen is, is er een mail met een code onderweg.`,
    resent: (address) =>
      `Als ${address} een van de gekozen adressen is, is er een mail met een andere code onderweg. Alleen de nieuwe werkt.`,
    continue: "Verder",
    openAs: (address) => `Openen als ${address}`,
    continueAs: (address) => `Verder als ${address}`,
    notFor: (address) =>
      `Je bent ingelogd als ${address}, en dit is niet voor dat adres. Neem een ander, of vraag het de persoon van wie je de link hebt.`,
    ended: "Je hebt je adres meer dan 10 minuten geleden bevestigd. Vraag een andere code om verder te gaan.",
    worth: "De server controleert je adres. Houd de link toch geheim.",
    thenApproval: "Daarna moet iemand nog toestemming geven voordat je het kunt openen.",
    noMail: "Deze server verstuurt geen mail. Log daar in en open deze link dan opnieuw.",
    signIn: "Inloggen",
  },
});
