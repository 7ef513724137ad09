import type { texts as english } from "../en/large-opening.ts";
import type { Translation } from "../translations.ts";

/** What the screens of a large secret that is opened say, in French. */
export const texts: Translation<typeof english> = () => ({
  largeOpening: {
    noRoom: (size) =>
      `Ce navigateur n’a pas assez de place pour ${size}. Libérez de l’espace et rechargez cette page, ou ouvrez le lien avec la commande « handoff open ». Vous n’avez pas encore ouvert le secret.`,
    noRoomToCollect: (size) =>
      `Ce navigateur n’a pas assez de place pour ${size}. Libérez de l’espace et réessayez, ou ouvrez ce dépôt en ligne de commande : tapez « handoff collect - » et collez le lien de secours de cette demande.`,
    unable:
      "Ce navigateur ne peut pas stocker un secret aussi volumineux. C’est souvent le cas des fenêtres privées. Copiez le lien là où vous l’avez reçu, et ouvrez-le dans un autre navigateur ou avec la commande « handoff open ». Vous n’avez pas encore ouvert le secret.",
    locked:
      "Le serveur a remis le secret à cet onglet. Il est encore protégé par sa phrase de passe. Gardez cet onglet ouvert tant que vous ne l’avez pas ouvert.",
    progressLabel: "Ouverture",
    progress: (done, total) => `${done} sur ${total}`,
    rate: (size) => `${size}/s`,
    left: (time) => `encore ${time}`,
    keepOpen: "Gardez cet onglet ouvert jusqu’à ce que tout soit arrivé.",
    stop: "Arrêter",
    stopped: "Arrêté. Ce qui était arrivé a été supprimé.",
    unwritable:
      "Ce navigateur ne peut pas stocker le secret : le disque est peut-être plein. Ce qui était arrivé a été supprimé.",
    again: (time) => `Vous pouvez le rouvrir dans cet onglet jusqu’à ${time}.`,
    damaged: "Ce secret a été coupé ou modifié : rien n’en est affiché. Demandez un nouvel envoi.",
    saveAll: "Tout télécharger",
    zipping: (percent) => `Création du ZIP… ${percent} %`,
    stored:
      "Ce navigateur le conserve sur votre appareil jusqu’à ce que vous fermiez cette page. Attendez d’abord la fin de vos téléchargements.",
    gone: "Ce navigateur n’a plus le fichier. S’il reste du temps, rechargez cette page pour le récupérer.",
  },
});
