import type { texts as english } from "../en/opening.ts";
import type { Translation } from "../translations.ts";

/** A countdown with its unit: "4:38 minutes", "1:04:38 heures". */
const lasting = (left: string) => `${left} ${/:.*:/.test(left) ? "heures" : "minutes"}`;

/** What the screens of a secret that is opened say, in French. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  open: {
    title: "Un secret vous attend",
    titleBy: (name) => `${name} vous a envoyé un secret`,
    titleHere: "Saisissez la phrase de passe",
    files: (count) => plural(count, { one: "{n} fichier", other: "{n} fichiers" }),
    both: (count) => plural(count, { one: "Texte et {n} fichier", other: "Texte et {n} fichiers" }),
    times: (left) => plural(left, { one: "S’ouvre une seule fois", other: "S’ouvre {n} fois" }),
    moreTimes: (left) => plural(left, { one: "S’ouvre encore une fois", other: "S’ouvre encore {n} fois" }),
    until: (when) => `Expire ${when}`,
    passphraseHint: "Demandez-la à l’expéditeur. Vous pouvez faire autant d’essais que nécessaire.",
    taken:
      "Le secret est ici, encore protégé par sa phrase de passe. Gardez cet onglet ouvert tant que vous ne l’avez pas lu.",
    takenHere:
      "Le secret est ici, encore protégé par sa phrase de passe. Ce navigateur ne peut pas le conserver : ne fermez pas cet onglet et ne le rechargez pas avant de l’avoir lu.",
    notYet: "Vous n’avez pas encore ouvert le secret.",
    maybe: "Le serveur a peut-être déjà remis le secret. Réessayez tout de suite dans cet onglet.",
    maybeTrying: "Le serveur a peut-être déjà remis le secret. Cet onglet réessaie : gardez-le ouvert.",
    refusedTrying: "Le serveur a répondu que rien n’a été remis. Cet onglet réessaie.",
    emptyPassphrase: "Saisissez d’abord la phrase de passe.",
    spaces:
      "Elle commence ou se termine par un espace. Si elle est incorrecte ainsi, elle est essayée sans cet espace.",
    wrongPassphrase: "Cette phrase de passe est incorrecte. Vérifiez-la et réessayez.",
    passphraseMissing:
      "Il faut aussi une phrase de passe. Demandez-la à l’expéditeur, ou comparez ce lien avec l’original.",
    beWary: "Vous n’attendiez rien ? Avant d’ouvrir, posez la question à la personne qui vous a envoyé le lien.",
    beWaryOf: (name) => `Vous n’attendiez rien ? Avant d’ouvrir, posez la question à ${name}.`,
    button: "Ouvrir le secret",
    opening: (percent) => (percent < 100 ? `Ouverture… ${percent} %` : "Ouverture…"),
  },
  opened: {
    text: "Secret",
    file: "Fichier",
    from: (name) => `Envoyé par ${name}`,
    theTextIsHidden: "Le texte est masqué",
    hidden: (characters) => plural(characters, { one: "Masqué, {n} caractère", other: "Masqué, {n} caractères" }),
    lines: (count) => plural(count, { one: "Texte, {n} ligne", other: "Texte, {n} lignes" }),
    fields: (count) => plural(count, { one: "{n} champ", other: "{n} champs" }),
    hide: "Masquer",
    show: "Afficher",
    showAgain: "Réafficher",
    hideAll: "Tout masquer",
    showAll: "Tout afficher",
    copyAll: "Tout copier",
    copyThis: (name) => `Copier ${name}`,
    copiedThis: (name) => `Champ copié, ${name}`,
    showThis: (name) => `Afficher ${name}`,
    hideThis: (name) => `Masquer ${name}`,
    download: (name) => `Télécharger ${name}`,
    save: "Télécharger",
    saveAll: "Télécharger le ZIP",
    saved: (size) => `${size} · téléchargé`,
    archive: "secret.zip",
    notZipped: "Le fichier ZIP n’a pas pu être créé. Vérifiez votre connexion, ou téléchargez les fichiers un par un.",
    preview: (name) => `Aperçu du fichier ${name}`,
    noPreview: "Ce navigateur ne peut pas afficher ce fichier. Téléchargez-le plutôt.",
    keep: "Enregistrez-le maintenant. Il ne pourra plus être affiché.",
    keepNow: "Enregistrez-le maintenant.",
    keepInTab: (left) =>
      `Enregistrez-le maintenant. Vous pouvez le réafficher dans cet onglet pendant encore ${lasting(left)}.`,
    keepInBrowser: (left) =>
      `Enregistrez-le maintenant. Vous pouvez le réafficher dans ce navigateur pendant encore ${lasting(left)}.`,
    timeLeft: "Temps restant",
    find: "Chercher un fichier",
    noneFound: "Aucun fichier ne porte ce nom.",
    showMore: (count) => plural(count, { one: "Afficher {n} autre", other: "Afficher {n} autres" }),
    left: (left) =>
      plural(left, {
        one: "Le lien peut encore être ouvert une fois.",
        other: "Le lien peut encore être ouvert {n} fois.",
      }),
    noFiles: "Il ne contient que des dossiers, aucun fichier.",
    longText: "Ce n’est que le début. « Copier » et « Télécharger » prennent tout le texte.",
    textFile: "secret.txt",
    cannotOpen: "Ce secret ne peut pas être ouvert",
    undecryptable:
      "Impossible de le déchiffrer : le lien ou la phrase de passe ne lui correspond pas, ou il a été modifié. Demandez un nouvel envoi.",
    unsafe:
      "L’archive qu’il contient ne peut pas être extraite : elle est dangereuse ou inhabituelle, ou compte trop de fichiers. Demandez un nouvel envoi.",
    damaged:
      "Cette archive est endommagée : ses fichiers ne peuvent pas être affichés. Vous pouvez la télécharger telle quelle et demander un nouvel envoi.",
    refused: {
      version: "Cette page ne connaît pas le format de ce secret. Prévenez la personne qui gère le serveur.",
      settings:
        "Ce secret a été chiffré avec des réglages que cette page refuse, car son ouverture pourrait être très longue. Demandez un nouvel envoi avec handoff.",
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
    notErased: "Le serveur n’a pas confirmé l’effacement. Réessayez, ou laissez le délai expirer.",
    erased: {
      title: "Effacé",
      text: "Le secret a été effacé du serveur et de cette page. Vous pouvez fermer la page.",
    },
    erasedHere: (rest) => ({ title: "Effacé ici", text: `Le secret a été effacé de cette page. ${rest}` }),
    canClose: "Vous pouvez fermer la page.",
  },
  ended: {
    titles: {
      opened: "Ce secret a déjà été ouvert",
      openedByYou: "Vous avez déjà ouvert ce secret",
      expired: "Ce secret a expiré",
    },
    claimed: (when) => ({
      text: `Il a été ouvert ${when}.`,
      warning: "Si ce n’était pas vous, prévenez l’expéditeur : le secret est peut-être entre d’autres mains.",
    }),
    claimedTimes: (times, when) => ({
      text: plural(times, {
        one: `Il a été ouvert {n} fois, ${when}.`,
        other: `Il a été ouvert {n} fois, la dernière fois ${when}.`,
      }),
      warning: "Si vous n’en savez rien, prévenez l’expéditeur : le secret est peut-être entre d’autres mains.",
    }),
    claimLost: (when, asked) => ({
      text: `Il a été ouvert ${when}. Cet onglet l’avait demandé ${asked}, mais la réponse n’est jamais arrivée. Demandez à l’expéditeur de l’envoyer de nouveau.`,
      warning: "Si les heures diffèrent, le secret est peut-être entre d’autres mains.",
    }),
    openedElsewhere: (time) => `C’était à ${time}, dans un autre onglet de ce navigateur.`,
    askedElsewhere: {
      title: "Vous êtes en train d’ouvrir ce secret",
      text: "Un autre onglet l’a demandé et n’a pas encore reçu de réponse.",
    },
    again: (left) => `Vous pouvez le réafficher pendant encore ${lasting(left)}.`,
    openedHere: (when) => `C’était ${when}. Adressez-vous à l’expéditeur si vous en avez encore besoin.`,
    openedOneOfSeveral: (when, left) =>
      plural(left, {
        one: `C’était ${when}. Le lien pouvait ensuite être ouvert encore une fois. Pour cela, rouvrez-le depuis le message.`,
        other: `C’était ${when}. Le lien pouvait ensuite être ouvert encore {n} fois. Pour cela, rouvrez-le depuis le message.`,
      }),
    expired: (when) => `Il a expiré ${when}. Demandez un nouveau lien à l’expéditeur.`,
    neverOpened: (when) => `Il a expiré ${when} sans avoir été ouvert. Demandez un nouveau lien à l’expéditeur.`,
    revoked: (when) => ({
      title: "Ce secret a été révoqué",
      text: `C’était ${when}. Adressez-vous à l’expéditeur si vous en avez besoin.`,
    }),
  },
});
