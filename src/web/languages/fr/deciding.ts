import type { texts as english } from "../en/deciding.ts";
import type { Translation } from "../translations.ts";

/** What is said where the opening of a secret has to be approved, in French. */
export const texts: Translation<typeof english> = ({ number }) => ({
  deciding: {
    title: "Autoriser l’ouverture ?",
    showAll: (count) => `Tout afficher (${number(count)})`,
    wants: "Quelqu’un veut ouvrir ce secret.",
    secret: (idEnd) => `Secret ${idEnd}`,
    same: "Cette personne voit les mêmes mots. Demandez-les-lui par téléphone.",
    who: "Qui",
    sender: "Expéditeur",
    proven: (address) => `${address}, adresse prouvée`,
    unproven: "une personne qui a le lien, aucune adresse prouvée",
    teammate: (idEnd) => `quelqu’un de l’équipe, ID ${idEnd}`,
    asked: "Demandé",
    until: "Fin de l’attente",
    letIn: "Autoriser",
    refuse: "Refuser",
    refuseLater: "Refuser finalement",
    busy: { approved: "Autorisation…", refused: "Refus…" },
    outcomes: {
      approved: "Ouverture autorisée une fois, pendant 10 minutes.",
      refused: "Ouverture refusée. Cette personne peut redemander.",
      over: "Trop tard : le délai est passé, le secret a été ouvert ou révoqué, l’autorisation a été redemandée, ou quelqu’un d’autre a décidé.",
      not_approver: "C’est à quelqu’un d’autre de décider.",
    },
    news: (name, list) => `Quelqu’un veut ouvrir « ${name} » : ${list}.`,
    approver: { title: "Autorisation", sender: "Par vous", team: "Par quelqu’un d’autre de votre équipe" },
    history: {
      asked: (who, list) => `Autorisation demandée : ${who} (${list})`,
      letIn: {
        you: (list) => `Autorisé par vous (${list})`,
        other: (list) => `Autorisé par quelqu’un de l’équipe (${list})`,
      },
      refused: {
        you: (list) => `Refusé par vous (${list})`,
        other: (list) => `Refusé par quelqu’un de l’équipe (${list})`,
      },
    },
  },
});
