import type { texts as english } from "../en/document.ts";

/** What a document says without its script, in French. */
export const texts: typeof english = {
  noScript: {
    title: "Cette page a besoin de JavaScript",
    text: "Activez JavaScript pour déchiffrer dans votre navigateur, puis rechargez la page. Ou ouvrez le lien dans une version récente de Chrome, Edge, Firefox ou Safari.",
  },
  late: {
    title: "Cette page n’est pas encore chargée",
    text: "Une partie est encore en route, ou n’est pas arrivée. Rechargez la page. Si cela ne suffit pas, son JavaScript est peut-être bloqué : ouvrez le lien dans un autre navigateur.",
  },
  nowhere: {
    title: "Il n’y a rien à cette adresse",
    text: "Elle contient peut-être une faute de frappe, ou il en manque une partie. Copiez de nouveau le lien entier.",
    start: "Aller à la page d’accueil",
  },
  mailOff: {
    title: "Désactiver ces e-mails ?",
    text: "Ils vous disent ce que deviennent vos envois et vos demandes.",
    button: "Désactiver",
  },
  mailIsOff: { title: "Ces e-mails sont désactivés", text: "Vous pouvez les réactiver dans votre compte." },
  mailOffStale: {
    title: "Ce lien ne désactive rien",
    text: "Il est incomplet, ou ces e-mails ont été réactivés depuis. Utilisez le lien de l’e-mail le plus récent, ou choisissez dans votre compte.",
  },
};
