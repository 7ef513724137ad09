import type { texts as english } from "../en/page.ts";
import type { Translation } from "../translations.ts";

/**
 * What every screen may say, in French. A space that does not break stands before : ; ! ? and %, and inside quotes.
 */
export const texts: Translation<typeof english> = ({ plural }) => ({
  language: "fr",
  direction: "ltr",
  name: "handoff",
  loading: "Un instant…",
  slow: "Le serveur n’a pas encore répondu.",
  frame: {
    promise: "Chiffré dans votre navigateur, illisible pour ce serveur.",
    about: "Comment ça marche",
    commandLine: "Ligne de commande",
    api: "API",
    contact: "Aide",
    imprint: "Mentions légales",
    privacy: "Confidentialité",
    runOn: (host) => `Vous êtes sur ${host}. Le serveur ne peut pas lire ce que vous partagez.`,
    runBy: (name, host) => `Service géré par ${name} sur ${host}. Le serveur ne peut pas lire ce que vous partagez.`,
    language: "Langue",
  },
  cancel: "Annuler",
  leaving: {
    typed: {
      title: "Abandonner votre saisie ?",
      text: "Elle n’a pas été envoyée, et cette page ne la conserve pas.",
      confirm: "Abandonner",
    },
    link: {
      title: "Quitter sans copier le lien ?",
      text: "Il ne sera plus affiché.",
      confirm: "Quitter",
    },
    secret: {
      title: "Fermer sans enregistrer le secret ?",
      text: "Vous n’avez pas tout copié ou enregistré.",
      confirm: "Fermer",
    },
  },
  copy: "Copier",
  copied: "Copié",
  notCopied: "Le navigateur empêche cette page de copier. Le texte est sélectionné : copiez-le vous-même.",
  insecure: {
    title: "Cette page nécessite HTTPS",
    text: "Son adresse commence par http : en chemin, quelqu’un pourrait modifier cette page et lire le secret. Ouvrez-la avec https. Si cela ne fonctionne pas, prévenez la personne qui vous a envoyé le lien.",
  },
  broken: {
    title: "Ce lien est incomplet",
    text: "Copiez le lien entier depuis le message.",
  },
  tooLong: {
    title: "Ce lien contient des caractères en trop",
    text: "Copiez-le de nouveau, sans ces caractères.",
  },
  noKey: {
    title: "Il manque la clé dans ce lien",
    text: "Certaines applications coupent ce qui suit #. Collez ici le lien entier.",
  },
  encodedKey: {
    title: "Ce lien a été modifié en chemin",
    text: "Une application a remplacé # par %23 : la clé a donc été envoyée au serveur. Par prudence, demandez un nouveau lien à l’expéditeur. Vous pouvez tout de même coller ici le lien entier.",
  },
  newerLink: {
    title: "Ce lien nécessite une version plus récente",
    text: "Le serveur de cette page est plus ancien que le lien. Prévenez la personne qui le gère.",
  },
  forgotten: {
    title: "Cet onglet n’a plus la clé",
    text: "Rouvrez le lien depuis le message.",
  },
  wrongLink: {
    title: "Ce lien ne fonctionne pas",
    text: "Il contient peut-être une faute de frappe, ou n’est plus valable depuis longtemps. Copiez de nouveau le lien entier, ou demandez-en un autre à l’expéditeur.",
  },
  paste: {
    label: "Collez ici le lien entier",
    button: "Ouvrir",
    empty: "Collez d’abord le lien.",
    noLink: "Ce n’est pas un lien handoff. Copiez-le de nouveau depuis le message.",
    noKey: "Il manque la partie à partir de #. C’est la clé.",
    kinds: {
      secret: "Ce lien ouvre un secret.",
      request: "C’est un lien de dépôt : il sert à déposer un secret.",
      backup: "C’est un lien de secours : il ouvre ce qui a été déposé.",
    },
    elsewhere: (host) => `Ce lien mène à un autre serveur, ${host}. Ne l’ouvrez que si vous connaissez ce serveur.`,
    openOn: (host) => `Aller sur ${host}`,
  },
  tooMany: {
    title: "Trop de tentatives",
    text: "Ce lien ne fonctionne pas, et trop de tentatives ont échoué depuis votre réseau. Vérifiez-le et réessayez dans une minute.",
  },
  failed: {
    title: "Cela n’a pas fonctionné",
    bare: "Cela n’a pas fonctionné.",
    back: "Cela n’a pas fonctionné, mais le serveur répond de nouveau. Réessayez.",
    network: {
      title: "Le serveur est injoignable",
      bare: "Le serveur est injoignable.",
      lede: "Vérifiez votre connexion et réessayez.",
      text: "Le serveur est injoignable. Vérifiez votre connexion et réessayez.",
    },
    busy: {
      title: "Le serveur est indisponible",
      bare: "Le serveur est indisponible.",
      lede: "Réessayez dans une minute.",
      text: "Le serveur est indisponible. Réessayez dans une minute.",
    },
    answered: {
      title: "La réponse ne vient pas du serveur",
      text: "Quelque chose, entre vous et le serveur, a répondu à sa place. Votre réseau vous demande-t-il d’abord de vous identifier, comme à l’hôtel ? Vérifiez, puis réessayez.",
    },
    limited: "Trop d’appels en peu de temps. Réessayez dans une minute.",
    other: "Un problème est survenu. Réessayez.",
    refused: "Le serveur a refusé. Réessayer n’y changera rien : prévenez la personne qui le gère.",
    stale: "Une partie de cette page n’a pas pu être chargée. Vérifiez votre connexion, ou rechargez la page.",
    quota:
      "Il ne reste pas assez de place pour cette équipe sur le serveur. Envoyez quelque chose de plus petit, ou demandez plus de place.",
    again: "Réessayer",
  },
  retrying: {
    limited: "Trop de tentatives depuis votre réseau.",
    again: (reason, seconds) =>
      plural(seconds, {
        one: `${reason} Nouvelle tentative dans {n} seconde…`,
        other: `${reason} Nouvelle tentative dans {n} secondes…`,
      }),
  },
  signedOut: {
    title: "Votre session est fermée",
    text: "Votre session est fermée. Reconnectez-vous dans un autre onglet, puis réessayez ici.",
  },
  otherPerson: (name) => `${name} a maintenant une session ouverte ici. Rechargez la page pour continuer.`,
  justNow: "à l’instant",
  onDay: (day) => `le ${day}`,
  atTime: (day, time) => `${day} à ${time}`,
  timeLeft: (duration) => `Encore ${duration}`,
  text: "Texte",
  theText: "Le texte",
  size: {
    about: (size) => `Environ ${size}`,
    lessThan: (size) => `Moins de ${size}`,
  },
  person: {
    according: "selon ce serveur",
  },
  passphrase: {
    label: "Phrase de passe",
    show: "Afficher la phrase de passe",
    hide: "Masquer la phrase de passe",
  },
  titles: {
    send: "Envoyer un secret",
    ask: "Demander un secret",
  },
});
