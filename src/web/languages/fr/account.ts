import type { texts as english } from "../en/account.ts";
import type { Translation } from "../translations.ts";

/** What a person's account says, in French. */
export const texts: Translation<typeof english> = ({ number }) => ({
  account: {
    browserOn: (browser, system) => `${browser} sur ${system}`,
    unknownBrowser: "Navigateur inconnu",
    actionOn: (action, name) => `${action} : ${name}`,
    passkeys: {
      title: "Clés d’accès",
      what: "Avec une clé d’accès, votre empreinte, votre visage ou votre code PIN ouvre votre session, sans lien.",
      none: "Vous n’avez pas encore de clé d’accès.",
      unsupported: "Ce navigateur ne peut pas utiliser de clés d’accès.",
      most: (count) =>
        `Vous avez ${number(count)} clés d’accès, le maximum. Retirez-en une avant d’en ajouter une autre.`,
      added: (when) => `Ajoutée ${when}`,
      used: (when) => `Dernière utilisation : ${when}`,
      unused: "Pas encore utilisée",
      add: "Ajouter une clé",
      adding: "Ajout…",
      isAdded: "La clé d’accès a été ajoutée.",
      remove: "Retirer",
      removing: "Retrait…",
      isRemoved: "La clé d’accès a été retirée.",
      sure: {
        title: "Retirer cette clé d’accès ?",
        text: "Elle n’ouvrira plus votre session. Votre appareil la garde peut-être jusqu’à ce que vous l’y supprimiez.",
        confirm: "Retirer",
      },
      known: "Vous y avez déjà une clé d’accès.",
      refused: "Le serveur a refusé la clé d’accès. Réessayez.",
      unusable: "Ce navigateur ne peut pas ajouter de clé d’accès ici. Essayez un autre navigateur.",
      offer: "Pour vous passer de lien la prochaine fois, ajoutez une clé d’accès.",
      later: "Pas maintenant",
    },
    notices: {
      title: "E-mails",
      what: (address) => `Ces e-mails sont envoyés à ${address}.`,
      opened: "Quand un de vos envois est ouvert",
      ending: "Un jour avant l’expiration d’un envoi que personne n’a ouvert",
      handedIn: "Quand quelqu’un dépose quelque chose",
      asked: "Quand quelqu’un attend votre accord",
      isSaved: "Enregistré.",
      whereSent: "M’envoyer un e-mail quand un de mes envois est ouvert",
      whereAsked: "M’envoyer un e-mail quand quelqu’un attend mon accord",
    },
    sessions: {
      title: "Vos sessions ouvertes",
      here: "Ce navigateur",
      since: (when) => `Ouverte ${when}`,
      used: (when) => `Dernière utilisation : ${when}`,
      signOut: "Fermer",
      signingOut: "Fermeture…",
      isSignedOut: "Cette session est fermée.",
      others: "Fermer les autres",
      areSignedOut: "Vos autres sessions sont fermées.",
    },
  },
  again: {
    titles: {
      add: "Reconnectez-vous pour ajouter une clé d’accès",
      remove: "Reconnectez-vous pour retirer une clé d’accès",
      terminal: "Reconnectez-vous pour autoriser un terminal",
    },
    text: "Vous vous êtes connecté il y a plus de 15 minutes. Une nouvelle connexion montre que c’est toujours vous.",
    otherwise:
      "Si rien de cela n’est possible, demandez un lien de connexion à votre administrateur et ouvrez-le dans ce navigateur.",
    back: "Retour",
  },
});
