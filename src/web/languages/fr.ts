import type { Grammar } from "./grammar.ts";
import type { Strings } from "./translations.ts";

/**
 * Everything that the page says, in French. A space that does not break stands before : ; ! ? and %, and inside quotes.
 */
export const fr = ({ plural, parts, number }: Grammar): Strings => ({
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
  revoking: "Révocation…",
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
    busy: (seconds) =>
      plural(seconds, {
        one: "Le serveur n’est pas disponible. Nouvel essai dans {n} seconde…",
        other: "Le serveur n’est pas disponible. Nouvel essai dans {n} secondes…",
      }),
    limited: (seconds) =>
      plural(seconds, {
        one: "Trop de tentatives depuis votre réseau. Nouvel essai dans {n} seconde…",
        other: "Trop de tentatives depuis votre réseau. Nouvel essai dans {n} secondes…",
      }),
    network: (seconds) =>
      plural(seconds, {
        one: "Le serveur est injoignable. Nouvel essai dans {n} seconde…",
        other: "Le serveur est injoignable. Nouvel essai dans {n} secondes…",
      }),
  },
  signedOut: {
    title: "Vous êtes déconnecté",
    text: "Vous êtes déconnecté. Connectez-vous dans un autre onglet, puis réessayez ici.",
  },
  wrongCount: (most) => (most === 1 ? "Seul 1 est possible." : `Entrez un nombre entier de 1 à ${most}.`),
  otherPerson: (name) => `${name} est maintenant connecté. Rechargez la page pour continuer.`,
  open: {
    title: "Quelqu’un vous a envoyé un secret",
    titleBySender: "Vous avez reçu un secret",
    knownAs: (address, team) => `Le serveur connaît cette personne comme ${address}, équipe ${team}`,
    known: (team) => `Le serveur connaît cette personne sous ce nom, équipe ${team}`,
    text: "Texte",
    files: (count) => plural(count, { one: "{n} fichier", other: "{n} fichiers" }),
    both: (count) => plural(count, { one: "Texte et {n} fichier", other: "Texte et {n} fichiers" }),
    about: (size) => `Environ ${size}`,
    lessThan: (size) => `Moins de ${size}`,
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
    passphrase: "Phrase secrète",
    showPassphrase: "Afficher la phrase secrète",
    hidePassphrase: "Masquer la phrase secrète",
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
    theText: "Le texte",
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
    eraseFirst: {
      title: "Effacer sans enregistrer le secret ?",
      text: "Vous n’avez pas tout copié ou enregistré. Il ne pourra plus être affiché.",
      confirm: "Effacer",
    },
    eraseHereFirst: {
      title: "Effacer sans enregistrer le secret ?",
      text: "Vous n’avez pas tout copié ou enregistré. Vous ne pourrez peut-être plus l’ouvrir.",
      confirm: "Effacer",
    },
    eraseOneOfSeveralFirst: (left) => ({
      title: "Effacer sans enregistrer le secret ?",
      text: plural(left, {
        one: "Vous n’avez pas tout copié ou enregistré. Le lien peut encore être ouvert 1 fois.",
        other: "Vous n’avez pas tout copié ou enregistré. Le lien peut encore être ouvert {n} fois.",
      }),
      confirm: "Effacer",
    }),
    notErased: "Impossible de demander l’effacement au serveur. Réessayez, ou laissez le temps s’écouler.",
    erased: {
      title: "Effacé",
      text: "Le secret n’est plus sur le serveur ni sur cette page. Vous pouvez fermer la page.",
    },
    erasedFromPage: {
      title: "Effacé ici",
      text: "Le secret n’est plus sur cette page. Vous pouvez fermer la page.",
    },
    erasedHere: (left) => ({
      title: "Effacé ici",
      text: plural(left, {
        one: "Le secret n’est plus sur cette page. Le lien peut être ouvert encore {n} fois.",
        other: "Le secret n’est plus sur cette page. Le lien peut être ouvert encore {n} fois.",
      }),
    }),
  },
  ended: {
    claimed: (when) => ({
      title: "Ce secret a été ouvert",
      text: `Ouvert ${when}.`,
      warning: "Si ce n’était pas vous, prévenez l’expéditeur : quelqu’un d’autre l’a peut-être.",
    }),
    claimedTimes: (times, when) => ({
      title: "Ce secret a été ouvert",
      text: plural(times, {
        one: `Ouvert {n} fois, ${when}.`,
        other: `Ouvert {n} fois, la dernière ${when}.`,
      }),
      warning: "Si vous n’en savez rien, prévenez l’expéditeur : quelqu’un d’autre l’a peut-être.",
    }),
    claimLost: (when, asked) => ({
      title: "Ce secret a été ouvert",
      text: `Ouvert ${when}. Cet onglet l’a demandé ${asked}, et la réponse n’est jamais arrivée. Demandez à l’expéditeur de l’envoyer de nouveau.`,
      warning: "Si les heures diffèrent, quelqu’un d’autre l’a peut-être.",
    }),
    openedElsewhere: (time) => ({
      title: "Vous avez ouvert ce secret",
      text: `Vous l’avez ouvert ici à ${time}, dans un autre onglet.`,
    }),
    askedElsewhere: {
      title: "Vous êtes en train d’ouvrir ce secret",
      text: "Un autre onglet l’a demandé, et aucune réponse n’y est encore arrivée.",
    },
    again: (left) => `Vous pouvez l’afficher de nouveau pendant ${left}.`,
    openedHere: (when) => ({
      title: "Vous avez ouvert ce secret",
      text: `Ouvert ${when}. Demandez à l’expéditeur si vous en avez encore besoin.`,
    }),
    openedOneOfSeveral: (when, left) => ({
      title: "Vous avez ouvert ce secret",
      text: plural(left, {
        one: `Ouvert ${when}. La dernière fois que vous l’aviez ici, le lien pouvait encore être ouvert 1 fois. Ouvrez-le à nouveau depuis le message.`,
        other: `Ouvert ${when}. La dernière fois que vous l’aviez ici, le lien pouvait encore être ouvert {n} fois. Ouvrez-le à nouveau depuis le message.`,
      }),
    }),
    expired: (when) => ({
      title: "Ce secret a expiré",
      text: `Il a expiré ${when}. Demandez un nouveau lien à l’expéditeur.`,
    }),
    neverOpened: (when) => ({
      title: "Ce secret a expiré",
      text: `Il a expiré ${when} et n’a jamais été ouvert. Demandez un nouveau lien à l’expéditeur.`,
    }),
    revoked: (when) => ({
      title: "Ce secret a été révoqué",
      text: `Révoqué ${when}. Demandez à l’expéditeur si vous en avez besoin.`,
    }),
  },
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
  contact: "Besoin d’aide ? Demandez à",
  signIn: {
    title: "Se connecter",
    lede: "Votre administrateur a créé ce lien pour vous.",
    already:
      "Vous êtes déjà connecté dans ce navigateur. Le lien connecte à la place la personne pour qui il a été créé.",
    once: "Ce lien fonctionne une fois",
    lasts: "Ensuite, ce navigateur reste connecté pour une durée limitée.",
    own: "Seulement sur votre propre appareil",
    shared: "Sur un ordinateur partagé, déconnectez-vous quand vous avez terminé.",
    asWhom: "Ensuite, vous voyez sous quel nom vous êtes connecté.",
    button: "Se connecter",
    busy: "Connexion…",
    stay: "Rester connecté",
    signedIn: "Vous êtes connecté",
    goOn: "Continuer",
    signedInAs: (name, team) => `Vous êtes connecté comme ${name}, ${team}.`,
    until: (when) => `Votre session se termine ${when}.`,
    notYou: "Ce n’est pas vous ? Se déconnecter",
    faults: {
      missing: {
        title: "Se connecter",
        text: "Ouvrez le lien de connexion entier de votre administrateur, avec la partie après #.",
      },
      cut: {
        title: "Ce lien de connexion est incomplet",
        text: "Copiez le lien entier depuis le message de votre administrateur.",
      },
      long: {
        title: "Ce lien de connexion a des caractères en trop",
        text: "Copiez-le de nouveau sans eux.",
      },
      mistyped: {
        title: "Ce lien de connexion contient une faute",
        text: "Copiez-le de nouveau depuis le message de votre administrateur.",
      },
    },
    needsHttps: {
      title: "Ce navigateur a besoin de HTTPS pour la connexion",
      text: "L’adresse commence par http. Safari et quelques autres navigateurs ne restent connectés qu’avec HTTPS. Ouvrez le lien dans Chrome ou Firefox, ou demandez une adresse HTTPS à votre administrateur. Le lien n’a pas été utilisé ici.",
    },
    noCookie: {
      title: "Ce navigateur ne garde pas votre connexion",
      text: "Il refuse le cookie de cette page. Autorisez les cookies pour cette adresse, et ouvrez de nouveau votre lien de connexion. S’il ne fonctionne plus, demandez-en un nouveau à votre administrateur.",
    },
    refused: {
      title: "Ce lien de connexion ne fonctionne pas",
      text: "Il a expiré, ou a été utilisé, remplacé ou annulé. Demandez-en un nouveau à votre administrateur.",
    },
    keepTab: "Le lien a peut-être été utilisé, et il ne fonctionne alors que dans cet onglet.",
  },
  signOut: {
    stillSignedIn: {
      title: "Vous êtes encore connecté",
      text: "Le serveur est injoignable. Vérifiez votre connexion, et déconnectez-vous de nouveau.",
    },
    unsavedElsewhere: {
      title: "Se déconnecter ?",
      text: "Un autre onglet contient un texte non envoyé ou un lien non copié. Il sera perdu.",
      confirm: "Se déconnecter",
    },
    losesKeys: (keys, toCollect) => ({
      title: "Se déconnecter ?",
      text: [
        plural(keys, {
          one: "Ce navigateur va supprimer la clé privée de {n} demande. Sans sa sauvegarde, personne ne pourra ouvrir ce qui est déposé.",
          other:
            "Ce navigateur va supprimer les clés privées de {n} demandes. Sans leurs sauvegardes, personne ne pourra ouvrir ce qui est déposé.",
        }),
        toCollect > 0
          ? plural(toCollect, {
              one: "{n} secret attend d’être récupéré.",
              other: "{n} secrets attendent d’être récupérés.",
            })
          : "",
      ]
        .filter(Boolean)
        .join(" "),
      confirm: "Se déconnecter",
    }),
    keysLeft: {
      title: "Vous êtes déconnecté",
      text: "Ce navigateur n’a pas supprimé les clés privées de vos demandes. Effacez les données de ce site dans les réglages du navigateur.",
    },
  },
  send: {
    title: "Envoyer un secret",
    lede: "Il est chiffré ici, dans votre navigateur. Vous recevez un lien à transmettre.",
    policy: {
      plain: (lifetime, times) =>
        plural(times, {
          one: `${lifetime}, s’ouvre {n} fois, sans phrase secrète`,
          other: `${lifetime}, s’ouvre {n} fois, sans phrase secrète`,
        }),
      withPassphrase: (lifetime, times) =>
        plural(times, {
          one: `${lifetime}, s’ouvre {n} fois, avec une phrase secrète`,
          other: `${lifetime}, s’ouvre {n} fois, avec une phrase secrète`,
        }),
    },
    claims: "Nombre d’ouvertures",
    passphrase: "Phrase secrète (facultatif)",
    passphraseHint: "Le destinataire en a besoin aussi. Dites-la par téléphone ou dans une autre application.",
    trimmed: "Les espaces au début et à la fin ne comptent pas.",
    blankPassphrase: "Ce ne sont que des espaces. Laissez vide, ou saisissez une phrase secrète.",
    suggest: "En proposer une",
    strength: (bits) => `Mots tirés au hasard, avec ${bits} bits d’aléa.`,
    guessable:
      "Une personne qui obtient le lien pourrait deviner une phrase secrète aussi courte ou simple. Plusieurs mots au hasard sont plus sûrs, comme ceux de « En proposer une ».",
    makePassword: "Créer un mot de passe",
    passwordMade: (bits) => `Mot de passe aléatoire ajouté, ${bits} bits`,
    label: "Nom dans votre liste (facultatif)",
    labelHint: "Seul ce navigateur le garde, jusqu’à votre déconnexion.",
    showName: (name) => `Dire au destinataire que cela vient de ${name}`,
    showNameHint: "Sinon, il ne voit pas qui l’a envoyé.",
    canceled: {
      revoked:
        "Vous avez annulé. Le secret avait déjà atteint le serveur ; il a donc été révoqué : personne ne peut l’ouvrir.",
      absent: "Vous avez annulé. Le serveur n’en a rien enregistré.",
      unknown:
        "Vous avez annulé. Le secret a peut-être atteint le serveur : s’il est en attente dans le suivi, révoquez-le là. Personne n’a le lien : personne ne peut l’ouvrir.",
    },
    button: "Créer le lien",
  },
  ticket: {
    label: "Ticket (facultatif)",
    hint: (example) => `Par exemple ${example}. Le serveur le conserve non chiffré, et votre équipe peut le voir.`,
    wrong: (example) => `Saisissez un ticket comme ${example}, ou laissez ce champ vide.`,
    name: (ticket) => `Ticket ${ticket}`,
    text: "Votre équipe peut le voir. Avec le lien seul, on ne le voit pas.",
    only: (ticket) => `Afficher seulement ${ticket}`,
    none: (ticket) => `Rien ici ne concerne ${ticket}.`,
  },
  terms: {
    change: "Modifier",
    unclear: "Vérifiez les options",
    lifetime: "Expire dans",
    other: "Autre…",
    unit: "Unité",
    once: "Une fois",
    times: (count) => plural(count, { one: "{n} fois", other: "{n} fois" }),
    wrongLifetime: (least, most) => `Entrez une durée de ${least} à ${most}.`,
  },
  link: {
    copy: "Copier le lien",
    code: "QR code",
    hideCode: "Masquer le code",
    codeOf: "QR code du lien",
    scan: "À scanner pour ouvrir",
    share: "Partager",
    shareFirst: "Partager le lien…",
  },
  sent: {
    title: "Votre lien est prêt",
    lede: "Envoyez-le à la personne concernée. Le lien ne sera plus affiché.",
    ledeWithPassphrase: "Transmettez deux choses, par deux moyens différents. Le lien ne sera plus affiché.",
    steps: { link: "Envoyez le lien", passphrase: "Dites la phrase secrète" },
    passphraseText:
      "Dites-la par téléphone, ou dans une autre application. Ne la mettez jamais dans le même message que le lien.",
    hidden: "masquée",
    copyPassphrase: "Copier la phrase secrète",
    copiedPassphrase: "Phrase secrète copiée",
    link: "Le lien",
    codeHint: "C’est le même lien : toute personne qui scanne le code l’a.",
    opens: (times) => plural(times, { one: "S’ouvre {n} fois", other: "S’ouvre {n} fois" }),
    anyone: (times) =>
      times === 1
        ? "Toute personne qui a le lien peut l’ouvrir. Ensuite, le secret est supprimé."
        : "Toute personne qui a le lien peut l’ouvrir. Après la dernière fois, le secret est supprimé.",
    withPassphrase: "Personne ne peut l’ouvrir sans la phrase secrète. Le serveur ne la connaît pas.",
    expires: (when) => `Expire ${when}`,
    message: "Message d’accompagnement",
    showMessage: "Afficher",
    copyMessage: "Copier le message",
    messageText: (link, times, when) =>
      plural(times, {
        one: `Voici un secret pour vous. Il s’ouvre {n} fois, jusqu’au ${when} :\n${link}`,
        other: `Voici un secret pour vous. Il s’ouvre {n} fois, jusqu’au ${when} :\n${link}`,
      }),
    messageWithPassphrase: (link, times, when) =>
      plural(times, {
        one: `Voici un secret pour vous. Il s’ouvre {n} fois, jusqu’au ${when} :\n${link}\nIl faut aussi une phrase secrète. Je vous la dirai autrement.`,
        other: `Voici un secret pour vous. Il s’ouvre {n} fois, jusqu’au ${when} :\n${link}\nIl faut aussi une phrase secrète. Je vous la dirai autrement.`,
      }),
    live: "Ce qu’il devient",
    activity: "Tous vos envois",
    more: "Envoyer autre chose",
    revoke: "Révoquer",
    claimedTitle: "Votre secret a été ouvert",
    claimedText: (when) => `Ouvert ${when}. Le lien ne fonctionne plus.`,
    expiredTitle: "Votre secret a expiré",
    expiredText: (when) => `Il a expiré ${when}. Le lien ne fonctionne plus.`,
    revokedTitle: "Votre secret a été révoqué",
    revokedText: "Le lien ne fonctionne plus.",
  },
  ask: {
    title: "Demander un secret",
    lede: "Vous recevez un lien à envoyer. Le dépôt se fait sans compte, et vous seul pouvez ouvrir ce qui arrive.",
    note: "De quoi avez-vous besoin ? (facultatif)",
    placeholder: "Par exemple : le mot de passe de la base de test, utilisateur « app »",
    noteHint: "Toute personne qui a le lien peut lire ceci. Le serveur, non.",
    policy: (lifetime, count) =>
      plural(count, { one: `${lifetime}, accepte {n} secret`, other: `${lifetime}, accepte {n} secrets` }),
    count: "Nombre de secrets",
    showName: (name) => `Montrer que ${name} le demande`,
    showNameHint: "Sinon, la personne qui a le lien ne voit pas qui demande.",
    button: "Créer le lien de demande",
    busy: "Création du lien…",
  },
  asked: {
    title: "Votre lien de demande est prêt",
    lede: "Envoyez-le à la personne qui a le secret.",
    link: "Le lien de demande",
    copy: "Copier le lien",
    codeHint: "C’est le même lien : toute personne qui scanne le code peut déposer quelque chose.",
    accepts: (most, when) =>
      plural(most, {
        one: `Il accepte {n} secret jusqu’au ${when}.`,
        other: `Il accepte {n} secrets jusqu’au ${when}.`,
      }),
    kept: "Seul ce navigateur peut ouvrir ce qui est déposé",
    keptText: "La clé privée reste ici jusqu’à votre déconnexion. Vous retrouvez la demande sous « Suivi ».",
    notKept: "Ce navigateur ne peut pas garder la clé privée",
    notKeptText: "Enregistrez la clé ci-dessous, sinon personne ne pourra ouvrir ce qui est déposé.",
    fulfilledTitle: "Tout a été déposé",
    fulfilledText: (when) => `Déposé ${when}. Le lien n’accepte plus rien.`,
    expiredTitle: "Votre demande a expiré",
    expiredText: (when) => `Elle a expiré ${when}. Le lien n’accepte plus rien.`,
    revokedTitle: "Votre demande a été révoquée",
    revokedText: (when) => `Révoquée ${when}. Le lien n’accepte plus rien.`,
    backup: {
      title: "Sauvegarder la clé, pour vous seul",
      kept: "Pour un autre navigateur, ou si les données de celui-ci sont effacées. À ne pas envoyer.",
      notKept: "Enregistrez-la avant de fermer cette page. À ne pas envoyer.",
      text: "Le fichier ouvre ce qui est déposé, dans tout navigateur où vous êtes connecté. Gardez-le en lieu sûr.",
      warning: "Ne l’envoyez à personne : il contient la clé privée.",
      save: "Enregistrer la clé",
      file: (link) =>
        `Ceci est la clé privée d’une demande que vous avez faite avec handoff.\nPour ouvrir ce qui a été déposé, ouvrez ce lien dans un navigateur où vous êtes connecté.\nNe l’envoyez à personne.\n\n${link}\n`,
      show: "Afficher comme texte",
      sure: "Le lien de secours contient la clé privée. Vérifiez que personne d’autre ne voit votre écran, et ne l’envoyez jamais.",
      showNow: "Afficher le lien de secours",
      link: "Le lien de secours",
    },
    more: "Demander autre chose",
    live: "Ce qu’elle devient",
    all: "Toutes vos demandes",
  },
  collect: {
    title: "Votre demande",
    nothingYet: "Rien n’est encore déposé. Cette page se met à jour toute seule.",
    handedInOf: (count, most) => `${number(count)} sur ${number(most)} déposés.`,
    until: (when) => `Ouverte jusqu’au ${when}.`,
    paused: "En pause : rien ne peut être déposé.",
    nothing: "Rien n’a été déposé.",
    keyDeleted: "La clé privée a été supprimée.",
    secret: (position) => `Secret ${number(position)}`,
    handedIn: (when) => `Déposé ${when}`,
    open: "Ouvrir",
    actionOn: (action, name, idEnd) => `${action} : ${name} ${idEnd}`,
    showAgain: (left) => `Revoir (encore ${left})`,
    cost: "Chaque secret s’ouvre une fois. Préparez un endroit sûr : il est supprimé du serveur peu après l’ouverture.",
    states: {
      available: "En attente",
      claimed: "Ouvert",
      expired: "Expiré",
      revoked: "Révoqué",
      lost: "Non reçu",
    },
    expires: (when) => `Expire ${when}`,
    byOthers: "Ouvert par quelqu’un de l’équipe, ou par vous ailleurs",
    neverOpened: "Jamais ouvert",
    taken: "Il a été ouvert par quelqu’un de l’équipe, ou par vous ailleurs.",
    expired: "Il a expiré et n’a jamais été ouvert. Demandez un nouveau dépôt.",
    revoked: "Il a été révoqué et ne peut pas être ouvert. Demandez un nouveau dépôt.",
    maybe: (until) =>
      `Le serveur l’a peut-être remis, mais aucune réponse n’est arrivée ici. Réessayez tout de suite dans ce navigateur, en principe jusqu’à ${until}.`,
    lost: "Il n’est jamais arrivé ici. Demandez un nouveau dépôt.",
    openedHere: "Vous l’avez ouvert dans ce navigateur.",
    undecryptable:
      "Il ne peut pas être déchiffré avec la clé de ce navigateur : il est endommagé, ou chiffré pour quelqu’un d’autre. Demandez un nouveau dépôt.",
    back: "Retour à la demande",
    all: "Toutes les demandes",
    signIn: {
      title: "Connectez-vous d’abord",
      text: "Seules les personnes connectées peuvent ouvrir ce qui a été déposé. Connectez-vous dans un autre onglet, puis réessayez ici.",
    },
    noKey: {
      title: "La clé n’est pas dans ce navigateur",
      text: "Ouvrez cette demande dans le navigateur où vous l’avez faite, ou avec le lien de secours que vous y avez enregistré.",
    },
    wrongKey: {
      title: "Ce lien ne correspond pas à la demande",
      text: "La clé privée qu’il contient est celle d’une autre demande. Copiez de nouveau le lien de secours entier.",
    },
    unknown: {
      title: "Cette demande n’existe pas",
      text: "Elle appartient à une autre équipe, ou a pris fin il y a longtemps.",
    },
  },
  activity: {
    summary: (toCollect, waiting) =>
      parts(", ", [toCollect, { other: "{n} à récupérer" }], [waiting, { other: "{n} en attente" }]),
    filter: "Afficher",
    filters: { all: "Tout", sent: "Envoyés", asked: "Demandés" },
    groups: { collect: "À récupérer", waiting: "En attente", done: "Terminé" },
    secret: "Secret",
    request: "Demande",
    sent: (when) => `Envoyé ${when}`,
    asked: (when) => `Demandé ${when}`,
    expires: (when) => `Expire ${when}`,
    neverOpened: (when) => `${when}, jamais ouvert`,
    states: {
      waiting: "En attente",
      opened: "Ouvert",
      openedSome: (opens, most) => `Ouvert ${number(opens)} fois sur ${number(most)}`,
      expired: "Expiré",
      revoked: "Révoqué",
      toCollect: (count) => plural(count, { other: "{n} à récupérer" }),
      noKey: (count) => plural(count, { other: "{n} en attente, mais la clé n’est pas dans ce navigateur" }),
      nothingYet: "Rien encore",
      paused: "En pause",
      handedIn: (count, most) => `${number(count)} sur ${number(most)} déposés`,
      partlyOpened: (opened, expired, revoked) =>
        parts(
          ", ",
          [opened, { one: "{n} ouvert", other: "{n} ouverts" }],
          [expired, { one: "{n} expiré", other: "{n} expirés" }],
          [revoked, { one: "{n} révoqué", other: "{n} révoqués" }],
        ),
    },
    news: (name, idEnd, state) => `${name} ${idEnd} : ${state}.`,
    more: (name, idEnd) => `Plus pour ${name} ${idEnd}`,
    details: "Détails",
    revoke: "Révoquer",
    collect: "Récupérer",
    collectThis: (name) => `Récupérer : ${name}`,
    handedIn: "Ce qui a été déposé",
    sureSent: {
      title: "Révoquer ce secret ?",
      text: "Il ne pourra plus être ouvert.",
      confirm: "Révoquer",
    },
    sureAsked: {
      title: "Révoquer cette demande ?",
      text: "Plus rien ne pourra être déposé.",
      textWaiting: "Plus rien ne pourra être déposé. Vous pourrez encore ouvrir ce qui l’a été.",
      confirm: "Révoquer",
    },
    noneSent: "Vous n’avez encore rien envoyé.",
    noneAsked: "Vous n’avez encore rien demandé.",
    showMore: "Afficher plus",
    notify: "Me prévenir d’une ouverture ou d’un dépôt",
    notifying: "Ce navigateur vous prévient tant que cette page est ouverte dans un onglet.",
    notNotifying: "Ce navigateur ne le permet pas. Vous pouvez changer cela dans ses réglages pour ce site.",
    signedOut: "Vous êtes déconnecté. Cette liste n’est plus mise à jour.",
    stale: "Ce que vous voyez n’est peut-être plus à jour.",
    empty: {
      title: "Rien ici pour l’instant",
      text: "Ce que vous envoyez ou demandez apparaît ici, et vous voyez quand c’est ouvert.",
      send: "Envoyer un secret",
      ask: "En demander un",
    },
    facts: {
      state: "État",
      sent: "Envoyé",
      asked: "Demandé",
      expires: "Expire",
      ended: "Terminé",
      opened: "Ouvert",
      handedIn: "Déposé",
      times: (count, most) => `${number(count)} sur ${number(most)}`,
      size: "Taille",
      ticket: "Ticket",
      id: "ID",
      history: {
        title: "Historique",
        byLink: "Ouvert avec le lien",
        byKey: "Ouvert avec une clé d’API",
        byPerson: "Ouvert par une personne connectée",
      },
      close: "Fermer",
    },
  },
  landing: {
    title: "Envoyez des secrets en sécurité",
    lede: "Mots de passe, clés et fichiers, chiffrés dans votre navigateur. Le serveur ne peut pas les lire.",
    link: "Vous avez un lien ?",
    placeholder: "Collez-le ici",
    hint: "Coller ne l’ouvre pas encore. Vous décidez sur l’écran suivant.",
    steps: {
      encrypted: {
        title: "Chiffré sur votre appareil",
        text: "La clé voyage dans le lien. Le serveur ne l’a jamais.",
      },
      kept: {
        title: "Gardé jusqu’à l’ouverture",
        text: "Il s’ouvre autant de fois que l’expéditeur l’a choisi, une fois en principe, jusqu’à son expiration.",
      },
      opened: {
        title: "Remis, puis supprimé",
        text: "L’expéditeur voit quand il a été ouvert.",
      },
    },
    send: "Vous voulez envoyer quelque chose ?",
    signIn: "Ouvrez le lien de connexion de votre administrateur.",
    signInByAdmin:
      "Ouvrez le lien de connexion de votre administrateur. Pas de compte ? Demandez à votre administrateur.",
    contact: "Pas de compte, ou une question ? Demandez à",
    commandLine: "Ligne de commande et API",
    commandLineText:
      "Avec une clé d’API de votre administrateur, handoff fonctionne aussi dans un terminal et dans des programmes.",
    docs: "Documentation de l’API",
  },
  justNow: "à l’instant",
  today: (time) => `aujourd’hui à ${time}`,
});
