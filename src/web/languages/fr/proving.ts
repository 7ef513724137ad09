import type { texts as english } from "../en/proving.ts";
import type { Translation } from "../translations.ts";

/** What the screens of a link that is for chosen people say, in French. */
export const texts: Translation<typeof english> = () => ({
  proof: {
    forAddress: (address) => `C’est pour ${address}.`,
    forDomain: (domain) => `C’est pour toutes les adresses de ${domain}.`,
    forSeveral: "C’est pour :",
    everyoneAt: (domain) => `Toutes les adresses de ${domain}`,
    hint: "Saisissez votre adresse complète. Vous recevez un code par e-mail, sans avoir besoin d’un compte.",
    hintOne: (start, end) =>
      `Saisissez l’adresse complète : elle commence par ${start} et se termine par ${end}. Vous recevez un code par e-mail, sans avoir besoin d’un compte.`,
    sent: (address) => `Si ${address} fait partie des adresses choisies, un e-mail avec un code est en route.`,
    resent: (address) =>
      `Si ${address} fait partie des adresses choisies, un e-mail avec un autre code est en route. Seul le nouveau fonctionne.`,
    continue: "Continuer",
    openAs: (address) => `Ouvrir en tant que ${address}`,
    continueAs: (address) => `Continuer en tant que ${address}`,
    notFor: (address) =>
      `La session ouverte ici est celle de ${address}, et ce n’est pas pour cette adresse. Utilisez-en une autre, ou demandez à la personne qui vous a envoyé le lien.`,
    ended: "Vous avez confirmé votre adresse il y a plus de 10 minutes. Demandez un autre code pour continuer.",
    worth: "Le serveur vérifie votre adresse. Gardez tout de même le lien secret.",
    thenApproval: "Ensuite, une personne doit encore donner son accord avant que vous puissiez ouvrir le secret.",
    noMail: "Ce serveur n’envoie pas d’e-mails. Connectez-vous-y, puis ouvrez de nouveau ce lien.",
    signIn: "Se connecter",
  },
});
