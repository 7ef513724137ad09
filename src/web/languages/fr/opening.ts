import type { texts as english } from "../en/opening.ts";
import type { Translation } from "../translations.ts";

/** What the screens of a secret that is opened say, in French. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  open: {
    title: "Quelqu’un vous a envoyé un secret",
    titleBySender: "Vous avez reçu un secret",
    files: (count) => plural(count, { one: "{n} fichier", other: "{n} fichiers" }),
    both: (count) => plural(count, { one: "Texte et {n} fichier", other: "Texte et {n} fichiers" }),
    times: (left) => plural(left, { one: "Il peut être ouvert {n} fois.", other: "Il peut être ouvert {n} fois." }),
    moreTimes: (left) =>
      plural(left, { one: "Il peut être ouvert encore {n} fois.", other: "Il peut être ouvert encore {n} fois." }),
    lastTime:
      "Après, le lien ne marche plus pour personne. Préparez un endroit sûr, comme un gestionnaire de mots de passe.",
    oneOfSeveral: "L’ouvrir compte pour une fois.",
    until: (when) => `Il expire ${when}.`,
    getPassphrase: "Demandez d’abord la phrase secrète à l’expéditeur.",
    tryAgain: "L’ouverture amène le secret dans cet onglet. Là, vous pouvez essayer autant de fois qu’il le faut.",
    taken: "Vous avez ouvert ce lien. Entrez la phrase secrète, et gardez cet onglet ouvert.",
    takenHere:
      "Vous avez ouvert ce lien. Ce navigateur ne peut pas le garder : ne fermez pas et ne rechargez pas cet onglet avant d’avoir lu le secret.",
    notYet: "Vous n’avez pas encore ouvert le secret.",
    maybe: "Le serveur a peut-être déjà remis le secret. Réessayez tout de suite dans cet onglet.",
    maybeTrying: "Le serveur a peut-être déjà remis le secret. Cet onglet réessaie : gardez-le ouvert.",
    refusedTrying: "Le serveur a répondu que rien n’a été remis. Cet onglet réessaie.",
    emptyPassphrase: "Entrez d’abord la phrase secrète.",
    spaces: "Elle commence ou finit par une espace. Si elle ne convient pas ainsi, elle est essayée sans cette espace.",
    wrongPassphrase: "Cette phrase secrète ne convient pas. Vérifiez-la et réessayez.",
    passphraseMissing:
      "Il faut aussi une phrase secrète. Demandez-la à l’expéditeur, ou comparez ce lien avec l’original.",
    beWary: "Vous n’attendez pas de secret ? Demandez à la personne qui vous a donné ce lien avant de l’ouvrir.",
    beWaryOf: (name) => `Vous n’attendez rien de ${name} ? Demandez avant d’ouvrir.`,
    button: "Ouvrir le secret",
    opening: (percent) => (percent < 100 ? `Ouverture… ${percent} %` : "Ouverture…"),
  },
  opened: {
    text: "Secret",
    file: "Fichier",
    from: (name) => `De ${name}`,
    theTextIsHidden: "Le texte est masqué",
    hidden: "masqué",
    lines: (count) => plural(count, { one: "Texte, {n} ligne", other: "Texte, {n} lignes" }),
    hide: "Masquer",
    show: "Afficher",
    showAgain: "Afficher de nouveau",
    hideAll: "Tout masquer",
    showAll: "Tout afficher",
    copyAll: "Tout copier",
    copyThis: (name) => `Copier ${name}`,
    copiedThis: (name) => `${name} copié`,
    showThis: (name) => `Afficher ${name}`,
    hideThis: (name) => `Masquer ${name}`,
    download: (name) => `Télécharger ${name}`,
    save: "Télécharger",
    saveAll: "Tout en ZIP",
    saved: (size) => `${size} · téléchargé`,
    archive: "secret.zip",
    notZipped: "Le fichier ZIP ne peut pas être créé. Vérifiez votre connexion, ou téléchargez les fichiers un par un.",
    preview: (name) => `Aperçu de ${name}`,
    noPreview: "Ce navigateur ne peut pas l’afficher. Téléchargez-le.",
    more: (count) =>
      plural(count, {
        one: "{n} autre fichier est dans le ZIP.",
        other: "{n} autres fichiers sont dans le ZIP.",
      }),
    keep: "Enregistrez maintenant ce qu’il vous faut. Il ne pourra plus être affiché.",
    keepNow: "Enregistrez maintenant ce qu’il vous faut.",
    keepInTab: (left) =>
      `Enregistrez maintenant ce qu’il vous faut. Vous pouvez l’afficher de nouveau dans cet onglet pendant ${left}.`,
    keepInBrowser: (left) =>
      `Enregistrez maintenant ce qu’il vous faut. Vous pouvez l’afficher de nouveau dans ce navigateur pendant ${left}.`,
    left: (left) =>
      plural(left, {
        one: "Le lien peut être ouvert encore {n} fois.",
        other: "Le lien peut être ouvert encore {n} fois.",
      }),
    noFiles: "Il ne contient aucun fichier, seulement des dossiers.",
    longText: "Ce n’est que le début. Copier et Télécharger prennent tout le texte.",
    textFile: "secret.txt",
    cannotOpen: "Ce secret ne peut pas être ouvert",
    undecryptable:
      "Déchiffrement impossible : le lien ou la phrase secrète ne va pas avec, ou le contenu a été modifié. Demandez un nouvel envoi.",
    unsafe:
      "L’archive de ce secret ne peut pas être extraite : elle est dangereuse ou inhabituelle, ou contient trop de fichiers. Demandez un nouvel envoi.",
    damaged:
      "Cette archive est endommagée : ses fichiers ne peuvent pas être affichés. Vous pouvez la télécharger telle quelle et demander un nouvel envoi.",
    refused: {
      version: "Ce secret a un format que cette page ne connaît pas. Prévenez la personne qui gère le serveur.",
      settings:
        "Ce secret a été chiffré avec des réglages que cette page refuse, car l’ouvrir pourrait prendre très longtemps. Demandez un nouvel envoi avec handoff.",
      otherwise:
        "Ce secret a été chiffré pour une autre clé : cette page ne peut pas l’ouvrir. Demandez un nouvel envoi.",
    },
    erase: "Terminé, effacer",
    erasing: "Effacement…",
    eraseFirst: (rest) => ({
      title: "Effacer sans enregistrer le secret ?",
      text: `Vous n’avez pas tout copié ou enregistré. ${rest}`,
      confirm: "Effacer",
    }),
    notAgain: "Il ne pourra plus être affiché.",
    maybeNotAgain: "Vous ne pourrez peut-être plus l’ouvrir.",
    notErased: "Impossible de demander l’effacement au serveur. Réessayez, ou laissez le temps s’écouler.",
    erased: {
      title: "Effacé",
      text: "Le secret n’est plus sur le serveur ni sur cette page. Vous pouvez fermer la page.",
    },
    erasedHere: (rest) => ({ title: "Effacé ici", text: `Le secret n’est plus sur cette page. ${rest}` }),
    canClose: "Vous pouvez fermer la page.",
  },
  ended: {
    titles: {
      opened: "Ce secret a été ouvert",
      openedByYou: "Vous avez ouvert ce secret",
      expired: "Ce secret a expiré",
    },
    claimed: (when) => ({
      text: `Ouvert ${when}.`,
      warning: "Si ce n’était pas vous, prévenez l’expéditeur : quelqu’un d’autre l’a peut-être.",
    }),
    claimedTimes: (times, when) => ({
      text: plural(times, {
        one: `Ouvert {n} fois, ${when}.`,
        other: `Ouvert {n} fois, la dernière ${when}.`,
      }),
      warning: "Si vous n’en savez rien, prévenez l’expéditeur : quelqu’un d’autre l’a peut-être.",
    }),
    claimLost: (when, asked) => ({
      text: `Ouvert ${when}. Cet onglet l’a demandé ${asked}, et la réponse n’est jamais arrivée. Demandez à l’expéditeur de l’envoyer de nouveau.`,
      warning: "Si les heures diffèrent, quelqu’un d’autre l’a peut-être.",
    }),
    openedElsewhere: (time) => `Vous l’avez ouvert ici à ${time}, dans un autre onglet.`,
    askedElsewhere: {
      title: "Vous êtes en train d’ouvrir ce secret",
      text: "Un autre onglet l’a demandé, et aucune réponse n’y est encore arrivée.",
    },
    again: (left) => `Vous pouvez l’afficher de nouveau pendant ${left}.`,
    openedHere: (when) => `Ouvert ${when}. Demandez à l’expéditeur si vous en avez encore besoin.`,
    openedOneOfSeveral: (when, left) =>
      plural(left, {
        one: `Ouvert ${when}. La dernière fois que vous l’aviez ici, le lien pouvait encore être ouvert 1 fois. Ouvrez-le à nouveau depuis le message.`,
        other: `Ouvert ${when}. La dernière fois que vous l’aviez ici, le lien pouvait encore être ouvert {n} fois. Ouvrez-le à nouveau depuis le message.`,
      }),
    expired: (when) => `Il a expiré ${when}. Demandez un nouveau lien à l’expéditeur.`,
    neverOpened: (when) => `Il a expiré ${when} et n’a jamais été ouvert. Demandez un nouveau lien à l’expéditeur.`,
    revoked: (when) => ({
      title: "Ce secret a été révoqué",
      text: `Révoqué ${when}. Demandez à l’expéditeur si vous en avez besoin.`,
    }),
  },
});
