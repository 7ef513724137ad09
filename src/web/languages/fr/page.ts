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
  noScript: "Activez JavaScript pour déchiffrer dans votre navigateur.",
  frame: {
    tabs: "Menu principal",
    send: "Envoyer",
    ask: "Demander",
    activity: "Suivi",
    toCollect: "à récupérer",
    accountOf: (name) => `Compte de ${name}`,
    signOut: "Se déconnecter",
    promise: "Chiffré de bout en bout. Ce serveur ne peut pas lire ce que vous partagez.",
    about: "Comment ça marche",
    commandLine: "Ligne de commande",
    api: "API",
    contact: "Aide",
    imprint: "Mentions légales",
    privacy: "Confidentialité",
    runOn: (host) => `Vous êtes sur ${host}. Le serveur ne peut pas lire ce que vous partagez.`,
    runBy: (name, host) => `Géré par ${name} sur ${host}. Le serveur ne peut pas lire ce que vous partagez.`,
    language: "Langue",
  },
  cancel: "Annuler",
  leaving: {
    typed: {
      title: "Abandonner votre saisie ?",
      text: "Elle n’est pas envoyée, et cette page ne la garde pas.",
      confirm: "Abandonner",
    },
    link: {
      title: "Quitter sans copier le lien ?",
      text: "Le lien ne sera plus affiché.",
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
  notCopied: "Ce navigateur ne laisse pas la page copier. Le texte est sélectionné : copiez-le vous-même.",
  insecure: {
    title: "Cette page a besoin de HTTPS",
    text: "L’adresse commence par http : n’importe qui sur le trajet pourrait modifier cette page et prendre le secret. Ouvrez-la avec https. Si cela ne marche pas, prévenez la personne qui vous a envoyé le lien.",
  },
  broken: {
    title: "Ce lien est incomplet",
    text: "Copiez le lien entier depuis le message.",
  },
  tooLong: {
    title: "Ce lien contient des caractères en trop",
    text: "Copiez-le de nouveau sans eux.",
  },
  noKey: {
    title: "Il manque la clé dans ce lien",
    text: "Certaines applications coupent la partie après #. Collez ici le lien entier.",
  },
  encodedKey: {
    title: "Ce lien a été modifié en chemin",
    text: "Une application a remplacé # par %23, et la clé a été envoyée au serveur. Par prudence, demandez un nouveau lien à l’expéditeur. Vous pouvez quand même coller ici le lien entier.",
  },
  newerLink: {
    title: "Ce lien est fait pour une version plus récente",
    text: "Le serveur d’où vient cette page est plus ancien que le lien. Prévenez la personne qui le gère.",
  },
  forgotten: {
    title: "Cet onglet n’a plus la clé",
    text: "Ouvrez de nouveau le lien depuis le message.",
  },
  wrongLink: {
    title: "Ce lien ne fonctionne pas",
    text: "Il contient peut-être une faute, ou il a pris fin il y a longtemps. Copiez de nouveau le lien entier, ou demandez-en un autre à l’expéditeur.",
  },
  paste: {
    label: "Collez ici le lien entier",
    button: "Ouvrir",
    empty: "Collez d’abord le lien.",
    noLink: "Ce n’est pas un lien de handoff. Copiez-le de nouveau depuis le message.",
    noKey: "Il manque la partie à partir de #. C’est la clé.",
    elsewhere: (host) => `Ce lien mène à un autre serveur, ${host}. N’y allez que si vous le connaissez.`,
    openOn: (host) => `Aller sur ${host}`,
  },
  tooMany: {
    title: "Trop de tentatives",
    text: "Ce lien ne fonctionne pas, et trop d’autres ont échoué depuis votre réseau. Vérifiez-le et réessayez dans une minute.",
  },
  failed: {
    title: "Cela n’a pas marché",
    bare: "Cela n’a pas marché.",
    back: "Cela n’a pas marché, mais le serveur répond de nouveau. Réessayez.",
    network: {
      title: "Le serveur est injoignable",
      bare: "Le serveur est injoignable.",
      lede: "Vérifiez votre connexion et réessayez.",
      text: "Le serveur est injoignable. Vérifiez votre connexion et réessayez.",
    },
    busy: {
      title: "Le serveur n’est pas disponible",
      bare: "Le serveur n’est pas disponible.",
      lede: "Réessayez dans une minute.",
      text: "Le serveur n’est pas disponible. Réessayez dans une minute.",
    },
    answered: {
      title: "Le serveur lui-même n’a pas répondu",
      text: "Quelque chose entre ici et le serveur a répondu à sa place. Votre réseau demande-t-il d’abord une connexion, comme à l’hôtel ? Vérifiez-le, puis réessayez.",
    },
    limited: "Trop d’appels. Réessayez dans une minute.",
    other: "Une erreur s’est produite. Réessayez.",
    refused: "Le serveur a refusé. Réessayer n’aidera pas : prévenez la personne qui le gère.",
    stale: "Une partie de cette page ne se charge pas. Vérifiez votre connexion, ou rechargez la page.",
    quota:
      "Le serveur n’a plus de place pour cette équipe. Prévenez la personne qui le gère, ou qui vous a donné le lien.",
    unreadable: "Un fichier est illisible. Est-il encore là, et est-ce bien un fichier et non un dossier ?",
    again: "Réessayer",
  },
  retrying: {
    limited: "Trop de tentatives depuis votre réseau.",
    again: (reason, seconds) =>
      plural(seconds, {
        one: `${reason} Nouvel essai dans {n} seconde…`,
        other: `${reason} Nouvel essai dans {n} secondes…`,
      }),
  },
  signedOut: {
    title: "Vous êtes déconnecté",
    text: "Vous êtes déconnecté. Connectez-vous dans un autre onglet, puis réessayez ici.",
  },
  otherPerson: (name) => `${name} est maintenant connecté. Rechargez la page pour continuer.`,
  justNow: "à l’instant",
  today: (time) => `aujourd’hui à ${time}`,
  text: "Texte",
  theText: "Le texte",
  size: {
    about: (size) => `Environ ${size}`,
    lessThan: (size) => `Moins de ${size}`,
  },
  person: {
    knownAs: (address, team) => `Le serveur connaît cette personne comme ${address}, équipe ${team}`,
    known: (team) => `Le serveur connaît cette personne sous ce nom, équipe ${team}`,
  },
  passphrase: {
    label: "Phrase secrète",
    show: "Afficher la phrase secrète",
    hide: "Masquer la phrase secrète",
  },
  titles: {
    send: "Envoyer un secret",
    ask: "Demander un secret",
  },
});
