import type { texts as english } from "../en/landing.ts";
import type { Translation } from "../translations.ts";

/** What the start page says, and what signing in and out says, in French. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  contact: "Besoin d’aide ? Adressez-vous à",
  signIn: {
    title: "Connexion",
    lede: "Votre administrateur a créé ce lien pour vous.",
    already:
      "Une session est déjà ouverte dans ce navigateur. Ce lien la remplacera par celle de la personne à qui il est destiné. Les clés privées des demandes restent dans ce navigateur jusqu’à la déconnexion.",
    once: "Le lien ne fonctionne qu’une fois. Sur un ordinateur partagé, déconnectez-vous à la fin.",
    button: "Se connecter",
    busy: "Connexion…",
    stay: "Garder la session",
    signedIn: "Votre session est ouverte",
    goOn: "Continuer",
    signedInAs: (name, team) => `Vous utilisez le compte ${name}, équipe ${team}.`,
    until: (when) => `Sans utilisation, votre session se fermera ${when}.`,
    notYou: "Se déconnecter",
    faults: {
      missing: {
        title: "Connexion",
        text: "Ouvrez le lien de connexion entier envoyé par votre administrateur, y compris ce qui suit #.",
      },
      cut: {
        title: "Ce lien de connexion est incomplet",
        text: "Copiez le lien entier depuis le message de votre administrateur.",
      },
      long: {
        title: "Ce lien de connexion contient des caractères en trop",
        text: "Copiez-le de nouveau, sans ces caractères.",
      },
      mistyped: {
        title: "Ce lien de connexion contient une faute de frappe",
        text: "Copiez-le de nouveau depuis le message de votre administrateur.",
      },
    },
    needsHttps: {
      title: "Ce navigateur exige HTTPS pour la connexion",
      text: "L’adresse commence par http. Safari et quelques autres navigateurs ne gardent la session qu’avec HTTPS. Ouvrez le lien dans Chrome ou Firefox, ou demandez une adresse HTTPS à votre administrateur. Le lien n’a pas été utilisé ici.",
    },
    noCookie: {
      title: "Ce navigateur ne garde pas votre session",
      text: "Il refuse le cookie de cette page. Autorisez les cookies pour cette adresse, puis rouvrez votre lien de connexion. S’il ne fonctionne plus, demandez-en un autre à votre administrateur.",
    },
    refused: {
      title: "Ce lien de connexion ne fonctionne pas",
      text: "Il a expiré, ou a été utilisé, remplacé ou annulé. Demandez-en un autre à votre administrateur.",
    },
    passkey: {
      button: "Utiliser une clé d’accès",
      unknown:
        "Cette clé d’accès ne fonctionne pas ici. Elle a peut-être été retirée. Utilisez-en une autre, ou demandez un lien de connexion à votre administrateur.",
      late: "Le délai a expiré. Réessayez.",
      unusable:
        "Ce navigateur ne peut pas utiliser de clé d’accès ici. Ouvrez plutôt un lien de connexion de votre administrateur.",
      noCookie:
        "Ce navigateur refuse le cookie de cette page. Autorisez les cookies pour cette adresse, puis réessayez.",
    },
    keepTab: "Le lien a peut-être été utilisé : dans ce cas, il ne fonctionne que dans cet onglet.",
  },
  signOut: {
    stillSignedIn: {
      title: "Votre session est toujours ouverte",
      text: "Le serveur est injoignable. Vérifiez votre connexion, puis déconnectez-vous de nouveau.",
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
          one: "Ce navigateur supprimera la clé privée de {n} demande. Sans sa sauvegarde, personne ne pourra ouvrir ce qui est déposé.",
          other:
            "Ce navigateur supprimera les clés privées de {n} demandes. Sans leurs sauvegardes, personne ne pourra ouvrir ce qui est déposé.",
        }),
        toCollect > 0
          ? plural(toCollect, {
              one: "{n} dépôt reste à récupérer.",
              other: "{n} dépôts restent à récupérer.",
            })
          : "",
      ]
        .filter(Boolean)
        .join(" "),
      confirm: "Se déconnecter",
    }),
    keysLeft: {
      title: "Votre session est fermée",
      text: "Ce navigateur n’a pas supprimé les clés privées de vos demandes. Effacez les données de ce site dans les réglages du navigateur.",
    },
  },
  nothingAllowed: {
    title: "Vous ne pouvez encore ni envoyer ni demander",
    text: "Votre session est ouverte, mais vous ne pouvez ni envoyer, ni demander, ni voir le suivi. Adressez-vous à votre administrateur.",
  },
  landing: {
    title: "Envoyez vos secrets en toute sécurité",
    lede: "Mots de passe, clés et fichiers, chiffrés dans votre navigateur. Le serveur ne peut pas les lire.",
    link: "Vous avez un lien ? Collez-le ici.",
    hint: "Vous verrez de quoi il s’agit avant d’ouvrir.",
    steps: {
      encrypted: {
        title: "Scellé ici",
        text: "Votre navigateur chiffre le secret. La clé est dans le lien et n’atteint jamais le serveur.",
      },
      kept: {
        title: "Ouvert une fois",
        text: "Le lien ne sert qu’une fois, sauf si l’expéditeur en permet plus. Ensuite, le serveur supprime le secret.",
      },
      opened: {
        title: "Suivi jusqu’au bout",
        text: "L’expéditeur voit quand le secret a été ouvert.",
      },
    },
    signIn: "Pour envoyer quelque chose, ouvrez le lien de connexion de votre administrateur.",
    signInByAdmin: "Pour envoyer quelque chose, il vous faut un lien de connexion. Demandez-le à votre administrateur.",
    withoutPasskey: "Pas encore de clé d’accès ? Ouvrez le lien de connexion de votre administrateur.",
    withoutPasskeyByAdmin: "Pas encore de clé d’accès ? Demandez un lien de connexion à votre administrateur.",
    contact: "Pas de compte, ou une question ? Adressez-vous à",
    commandLine: "Ligne de commande et API",
    commandLineText:
      "Avec une clé d’API fournie par votre administrateur, handoff fonctionne aussi dans un terminal et dans des programmes.",
    docs: "Documentation de l’API",
  },
});
