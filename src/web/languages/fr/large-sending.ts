import type { texts as english } from "../en/large-sending.ts";
import type { Translation } from "../translations.ts";

/** What the screens say while a secret is sent in pieces, in French. */
export const texts: Translation<typeof english> = () => ({
  largeSending: {
    keepOpen:
      "Chaque morceau est chiffré avant de quitter le navigateur. Gardez cet onglet ouvert. Si la connexion se coupe ou si l’appareil se met en veille, l’envoi reprend là où il en était.",
    rate: (size) => `${size}/s`,
    line: {
      title: "Le serveur est injoignable",
      text: "L’envoi reprendra là où il en était dès que la connexion sera rétablie. Gardez cet onglet ouvert.",
    },
    server: {
      title: "En attente du serveur",
      text: "Le serveur est indisponible. L’envoi reprendra là où il en était dès que possible. Gardez cet onglet ouvert.",
    },
    storage: {
      title: "En attente du serveur",
      text: "Le serveur ne peut rien enregistrer pour l’instant : son disque est peut-être plein. L’envoi reprendra là où il en était dès que possible. Gardez cet onglet ouvert.",
    },
    tryNow: "Réessayer maintenant",
    stopped:
      "Vous avez annulé : il n’y a donc pas de lien. Le serveur supprime ce qui est arrivé, au plus tard après un jour.",
    ended:
      "Le serveur a mis fin à l’envoi : il n’y a donc pas de lien. Ce que vous avez choisi est toujours là : envoyez-le de nouveau.",
    stoppedHandIn:
      "Vous avez annulé : rien n’a été déposé. Le serveur supprime ce qui est arrivé, au plus tard dans un jour.",
    maybeHandedIn:
      "Vous avez annulé, mais le contenu a peut-être déjà été déposé. Demandez à la personne qui vous l’a demandé.",
    endedHandIn:
      "Le serveur a mis fin à l’envoi : rien n’a été déposé. Votre sélection est toujours là : déposez-la à nouveau.",
  },
});
