import type { texts as english } from "../en/login.ts";
import type { Translation } from "../translations.ts";

/** What the screens say on which a person lets a terminal in, in French. */
export const texts: Translation<typeof english> = () => ({
  login: {
    title: "Autoriser un terminal",
    lede: "Saisissez le code affiché par « handoff login » dans le terminal.",
    code: "Code",
    hint: "Il a 8 lettres. Les majuscules et le tiret ne comptent pas.",
    goOn: "Continuer",
    checking: "Vérification…",
    empty: "Saisissez d’abord le code.",
    malformed: "Un code a 8 lettres, comme BCDF-GHJK.",
    wrong: "Aucun terminal n’attend avec ce code : il contient une erreur, a déjà servi ou date de plus de 10 minutes.",
    signIn: {
      title: "Connectez-vous d’abord",
      text: "Une session est nécessaire pour autoriser un terminal. Connectez-vous dans un autre onglet, et celui-ci continuera de lui-même.",
      kept: (code) => `Cet onglet garde le code ${code}.`,
      button: "Se connecter",
    },
    terminal: {
      title: "Autoriser ce terminal ?",
      machine: "Machine",
      ownWord: "comme elle se nomme elle-même",
      address: "Adresse",
      unknown: "Inconnu",
      since: "Commencé",
      actsAs: "Il agira au nom du compte",
      caution:
        "Continuez seulement si vous venez de lancer « handoff login » vous-même sur cette machine. Si quelqu’un vous a envoyé le code, refusez : cette personne pourrait agir en votre nom.",
      allow: "Autoriser",
      allowing: "Autorisation…",
      refuse: "Refuser",
      refusing: "Refus…",
    },
    allowed: {
      title: "Terminal autorisé",
      text: "Retournez au terminal. Il reste connecté 12 heures au plus, et seulement tant que votre session est ouverte ici.",
    },
    refused: { title: "Terminal refusé", text: "Le terminal n’a pas été autorisé." },
    gone: {
      title: "Ce terminal n’attend plus",
      text: "Il a déjà été autorisé ou refusé, ou le code date de plus de 10 minutes. Regardez le terminal. S’il n’est pas connecté, relancez la commande.",
    },
    another: "Un autre code",
  },
});
