import type { texts as english } from "../en/people.ts";
import type { Translation } from "../translations.ts";

/** What the screens say about the people whom a secret or a request is for, in French. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  people: {
    whoOpens: "Qui peut l’ouvrir ?",
    whoHandsIn: "Qui peut déposer un secret ?",
    everyone: "Toute personne qui a le lien",
    hint: "Saisissez des adresses e-mail, ou *@example.com pour tout un domaine.",
    worth:
      "Le serveur le vérifie par un code envoyé à l’adresse. Ceux qui gèrent le serveur pourraient s’en passer : gardez donc le lien secret.",
    only: "personnes choisies seulement",
    remove: (address) => `Retirer ${address}`,
    wrong: "Ce n’est pas une adresse. Une adresse ressemble à ann@example.com.",
    tooMany: (most) => `Choisissez-en ${most} au plus.`,
    required: "Les règles de votre équipe demandent de dire qui.",
    onlyAt: (domains: string) => `Les règles de votre équipe n’autorisent que les personnes de : ${domains}.`,
    refused: "Le serveur n’accepte pas l’une de ces adresses. Vérifiez-les.",
    chosen: "Pour",
    lede: (times, when) =>
      plural(times, {
        one: `Seules les personnes choisies peuvent ouvrir le secret, une seule fois. Le lien expire ${when} et ne sera plus affiché.`,
        other: `Seules les personnes choisies peuvent ouvrir le secret, {n} fois au total. Le lien expire ${when} et ne sera plus affiché.`,
      }),
    asked: "Demandé par vous",
    opened: (address) => `Ouvert par ${address}, adresse prouvée`,
    handedIn: (address) => `Déposé par ${address}, adresse prouvée`,
    refusedOne: (address) =>
      `Une personne qui a le lien a indiqué l’adresse ${address} et n’a prouvé aucune des adresses choisies`,
    refusedUnnamed: "Une personne qui a le lien n’a prouvé aucune des adresses choisies",
  },
});
