import type { texts as english } from "../en/landing.ts";
import type { Translation } from "../translations.ts";

/** What the start page says, and what signing in and out says, in French. */
export const texts: Translation<typeof english> = ({ plural }) => ({
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
    manual: "Lire le manuel (en anglais)",
  },
});
