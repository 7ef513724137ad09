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
    drop: "ou déposez des fichiers",
    dropNow: "Déposez pour ajouter",
    room: (limit) => `Jusqu’à ${limit}`,
    used: (used, limit) => `${used} sur ${limit}`,
    remove: (name) => `Retirer ${name}`,
    removeAll: "Tout retirer",
    moreFiles: (count) => plural(count, { one: "{n} autre fichier", other: "{n} autres fichiers" }),
    lines: (count) => plural(count, { one: "{n} ligne", other: "{n} lignes" }),
    longText: "Trop long pour être modifié ici.",
    empty: "Saisissez quelque chose, ou ajoutez un fichier.",
    sameName: (name) => `Il y a déjà un fichier nommé ${name}. Retirez-le d’abord, ou renommez l’autre.`,
    tooMany:
      "Cela fait plus de 10 000 fichiers, que personne ne pourrait extraire. Mettez-les d’abord dans une archive.",
    tooLarge: (size, limit) => `C’est trop volumineux : ${size}. La limite est de ${limit}.`,
    fileTooLarge: (name, size, limit) => `${name} est trop volumineux : ${size}. La limite est de ${limit}.`,
    badName: (name) => `Un fichier ne peut pas être envoyé sous le nom « ${name} ». Renommez-le d’abord.`,
    unreadable: (name) => `${name} est illisible. Est-il encore là ?`,
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
    sendingText: "C’est déjà chiffré. Gardez cette page ouverte jusqu’à la fin.",
    progress: "Envoyé",
    left: (time) => `Encore ${time} environ`,
    waiting: "En attente de la réponse du serveur…",
    canceling: "Annulation…",
    cancelingText: "S’il est déjà arrivé, il est révoqué.",
    canceledBefore: "Vous avez annulé. Rien n’a été envoyé.",
  },
  submit: {
    title: "On vous demande un secret",
    titleBy: (name) => `${name} demande un secret`,
    caution: "Ne continuez que si vous savez qui vous a envoyé ce lien.",
    cautionHelp: "Un doute ? Appelez à un numéro que vous avez déjà.",
    label: "Ce que vous déposez",
    placeholder: "Saisissez-le ou collez-le ici",
    terms: (when) =>
      `Seule la personne qui le demande peut le lire. Vous n’avez pas besoin de compte. Le lien expire ${when}.`,
    left: (count) =>
      plural(count, {
        one: "{n} secret peut être déposé.",
        other: "{n} secrets peuvent être déposés, l’un après l’autre.",
      }),
    button: "Déposer",
    canceled:
      "Vous avez annulé. Il est peut-être déjà arrivé. Pour en être sûr, déposez-le de nouveau sans rien changer : il comptera une fois.",
    swapped: {
      title: "Stop : n’envoyez rien",
      text: "Le lien est endommagé, ou le serveur essaie de lire ce que vous envoyez. Rien n’a été envoyé. Copiez de nouveau le lien entier. Si cela n’aide pas, prévenez la personne qui vous l’a envoyé.",
    },
    noteBroken:
      "La note de cette demande est illisible. Le lien est endommagé, ou le serveur l’a modifiée. Rien n’a été envoyé.",
    paused: {
      title: "Cette demande est en pause",
      text: "Rien ne peut être déposé pour l’instant. Réessayez plus tard, ou demandez à la personne qui vous a envoyé le lien.",
    },
    fulfilled: {
      title: "C’est déjà déposé",
      text: "Tout ce qui était demandé a été déposé, par vous ou quelqu’un d’autre. Rien de plus n’est accepté.",
    },
    expired: {
      title: "Cette demande a expiré",
      text: "Elle n’accepte plus de secrets. Demandez un nouveau lien.",
    },
    revoked: {
      title: "Cette demande a été révoquée",
      text: "Elle n’accepte plus de secrets.",
    },
    notSent: "Votre secret n’a pas été envoyé.",
    kept: "Votre saisie est toujours là.",
    earlierArrived:
      "Votre premier envoi était bien arrivé, et la personne qui le demandait peut l’ouvrir. Ce que vous avez changé depuis n’a pas été envoyé : dites-le-lui.",
    done: {
      title: "Déposé",
      text: "C’est chiffré, et seule la personne qui le demandait peut l’ouvrir. Vous pouvez fermer cette page.",
      hadEarlier:
        "Votre envoi précédent, resté sans réponse, est peut-être arrivé aussi. Dites à la personne qui le demandait lequel est le bon.",
      more: "Déposer autre chose",
      reference: "Référence",
      referenceText: "Elle aide si la personne ne le trouve pas. Elle n’ouvre rien.",
    },
  },
});
