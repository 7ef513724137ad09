import type { texts as english } from "../en/submitting.ts";
import type { Translation } from "../translations.ts";

/** What the screens say on which text and files are put together, and those of a request, in French. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  content: {
    label: "Secret",
    placeholder: "Un mot de passe, une clé, une note…",
    add: "Ajouter des fichiers",
    addFolder: "Ajouter un dossier",
    addPhoto: "Ajouter une photo",
    drop: "ou glissez des fichiers ici",
    dropNow: "Relâchez pour ajouter",
    room: (limit) => `Jusqu’à ${limit}`,
    used: (used, limit) => `${used} sur ${limit}`,
    remove: (name) => `Retirer ${name}`,
    removeAll: "Tout retirer",
    moreFiles: (count) => plural(count, { one: "{n} autre fichier", other: "{n} autres fichiers" }),
    lines: (count) => plural(count, { one: "{n} ligne", other: "{n} lignes" }),
    longText: "Trop long pour être modifié ici.",
    empty: "Saisissez quelque chose, ou ajoutez un fichier.",
    sameName: (name) => `Un fichier nommé ${name} est déjà là. Retirez-le d’abord, ou renommez l’autre.`,
    tooMany:
      "Cela fait plus de 10 000 fichiers, que personne ne pourrait extraire. Mettez-les d’abord dans une archive.",
    tooLarge: (size, limit) => `C’est trop volumineux (${size}). La limite est de ${limit}.`,
    fileTooLarge: (name, size, limit) => `${name} est trop volumineux (${size}). La limite est de ${limit}.`,
    badName: (name) => `Impossible d’envoyer un fichier sous le nom « ${name} ». Renommez-le d’abord.`,
    unreadable: (name) => `Impossible de lire ${name}. Ce fichier existe-t-il toujours ?`,
    moreRefused: (count) =>
      plural(count, {
        one: "{n} autre fichier n’a pas été ajouté.",
        other: "{n} autres fichiers n’ont pas été ajoutés.",
      }),
    shortcut: (keys) => `ou appuyez sur ${keys}`,
  },
  delivery: {
    encrypting: "Chiffrement…",
    encryptingText: "Le secret n’a pas encore été envoyé.",
    sending: "Envoi…",
    sendingText: "Il est déjà chiffré. Gardez cette page ouverte jusqu’à la fin de l’envoi.",
    progress: "Envoyé",
    left: (time) => `Encore ${time} environ`,
    waiting: "En attente de la réponse du serveur…",
    canceling: "Annulation…",
    cancelingText: "S’il est déjà arrivé, le secret est révoqué.",
    canceledBefore: "Vous avez annulé. Rien n’a été envoyé.",
  },
  submit: {
    title: "On vous demande un secret",
    titleBy: (name) => `${name} vous demande un secret`,
    caution: "Ne continuez que si vous savez qui vous a envoyé ce lien.",
    label: "Que voulez-vous déposer ?",
    placeholder: "À saisir ou à coller ici",
    terms: "Seule la personne qui le demande peut le lire.",
    until: (when) => `Le lien expire ${when} et n’accepte ensuite plus rien.`,
    left: (count) =>
      plural(count, {
        one: "{n} dépôt est possible.",
        other: "{n} dépôts sont possibles, l’un après l’autre.",
      }),
    button: "Déposer",
    showField: (name) => `Afficher ${name}`,
    hideField: (name) => `Masquer ${name}`,
    wrongValues: {
      missing: "Remplissez ce champ.",
      too_long: "C’est trop long.",
      several_lines: "Il y a plus d’une ligne.",
      control_character: "Il contient un caractère qui ne peut pas être envoyé.",
    },
    joined: "Vous avez collé plusieurs lignes, qui n’en font plus qu’une. Vérifiez-la.",
    canceled:
      "Vous avez annulé. Votre dépôt est peut-être déjà arrivé. Pour en être sûr, refaites-le sans rien changer : il ne comptera qu’une fois.",
    swapped: {
      title: "Stop : n’envoyez rien",
      text: "Le lien est endommagé, ou le serveur essaie de lire ce que vous envoyez. Rien n’a été envoyé. Copiez de nouveau le lien entier. Si cela ne change rien, prévenez la personne qui vous l’a envoyé.",
    },
    noteBroken:
      "La note de cette demande est illisible. Le lien est endommagé, ou le serveur l’a modifiée. Rien n’a été envoyé.",
    paused: {
      title: "Cette demande est en pause",
      text: "Aucun dépôt n’est possible pour l’instant. Réessayez plus tard, ou adressez-vous à la personne qui vous a envoyé le lien.",
    },
    fulfilled: {
      title: "C’est déjà déposé",
      text: "Tout ce qui était demandé a été déposé, par vous ou par quelqu’un d’autre. Plus rien n’est accepté.",
    },
    expired: {
      title: "Cette demande a expiré",
      text: "Elle n’accepte plus aucun dépôt. Demandez un nouveau lien.",
    },
    revoked: {
      title: "Cette demande a été révoquée",
      text: "Elle n’accepte plus aucun dépôt.",
    },
    notSent: "Votre secret n’a pas été envoyé.",
    kept: "Votre saisie est toujours là.",
    earlierArrived:
      "Votre premier envoi est bien arrivé, et la personne qui le demandait peut l’ouvrir. Ce que vous avez modifié depuis n’a pas été envoyé : dites-le-lui.",
    done: {
      title: "Dépôt effectué",
      text: "Seule la personne qui le demandait peut l’ouvrir. Vous pouvez fermer cette page.",
      hadEarlier:
        "Votre envoi précédent, resté sans réponse, est peut-être arrivé aussi. Dites à la personne qui le demandait lequel est le bon.",
      more: "Déposer autre chose",
      reference: "Référence",
      referenceText:
        "La personne qui le demandait peut s’en servir pour retrouver votre dépôt, mais pas pour l’ouvrir.",
    },
  },
});
