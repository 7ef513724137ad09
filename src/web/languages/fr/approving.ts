import type { texts as english } from "../en/approving.ts";
import type { Translation } from "../translations.ts";

/** What the screens say about the approval of an opening, in French. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  approving: {
    wanted: "Une personne doit donner son accord avant que vous puissiez ouvrir le secret.",
    wantedOf: (name) => `${name} doit donner son accord avant que vous puissiez ouvrir le secret.`,
    how: "Vous recevez trois mots. On vous appellera peut-être pour vous demander quels mots vous voyez.",
    button: "Demander l’accord",
    asking: "Demande en cours…",
    waiting: "En attente d’un accord",
    waitingFor: (name) => `En attente : ${name}`,
    compare: "La personne qui décide voit les trois mêmes mots. Si elle vous les demande par téléphone, lisez-les.",
    three: "Trois mots",
    english: "Ces mots sont en anglais.",
    goesOn: (time) => `Gardez cette page ouverte, la suite vient d’elle-même. Votre demande attend jusqu’à ${time}.`,
    triesAgain: "Cette page réessaie d’elle-même.",
    letIn: (time) => `Vous avez l’accord. Ouvrez le secret avant ${time}.`,
    refused: {
      title: "La réponse est non",
      text: "Vous n’avez pas ouvert le secret. Si vous en avez besoin, parlez-en à l’expéditeur, puis demandez de nouveau.",
    },
    over: "Votre demande n’est plus valable. Elle attend une heure et, une fois l’accord donné, vous avez 10 minutes. Demandez de nouveau si vous avez encore besoin du secret.",
    again: "Demander de nouveau",
    tooMany: "Trop de personnes attendent déjà un accord. Parlez-en à l’expéditeur, ou réessayez plus tard.",
    elsewhere:
      "Le secret n’a pas été ouvert dans cet onglet. L’accord a été donné à quelqu’un d’autre, ou à vous dans un autre navigateur. Si vous en avez encore besoin, parlez-en à l’expéditeur.",
  },
  approval: {
    who: "Qui doit donner son accord ?",
    choices: { nobody: "Personne", sender: "Me demander d’abord", team: "Quelqu’un d’autre de l’équipe" },
    meanings: {
      sender: "Chaque fois que quelqu’un veut l’ouvrir, le Suivi vous demande votre accord.",
      team: "Chaque fois que quelqu’un veut l’ouvrir, le Suivi demande leur accord aux autres personnes de votre équipe. Vous ne pouvez pas le donner.",
    },
    worth: "Le serveur y veille. Ceux qui le gèrent pourraient s’en passer : gardez donc le lien secret.",
    required: "Les règles de votre équipe le demandent.",
    inBrief: { sender: "me demander d’abord", team: "accord d’une autre personne" },
    lede: (times, when) =>
      plural(times, {
        one: `Toute personne qui a ce lien peut demander à ouvrir le secret, qui s’ouvre une seule fois. Le lien expire ${when} et ne sera plus affiché.`,
        other: `Toute personne qui a ce lien peut demander à ouvrir le secret, qui s’ouvre {n} fois au total. Le lien expire ${when} et ne sera plus affiché.`,
      }),
    message: {
      sender:
        "Pour l’ouvrir, il faut mon accord. Trois mots s’afficheront : je les demanderai peut-être par téléphone.",
      team: "Pour l’ouvrir, il faut l’accord de quelqu’un d’autre de mon équipe. Trois mots s’afficheront : cette personne les demandera peut-être par téléphone.",
    },
    decides: {
      sender:
        "C’est vous qui décidez. Quand quelqu’un demande, le Suivi l’affiche avec trois mots, que cette personne voit aussi. Un doute ? Appelez-la et demandez-lui les mots.",
      team: "C’est quelqu’un d’autre de votre équipe qui décide. Quand quelqu’un demande, son Suivi l’affiche, pas le vôtre.",
    },
  },
});
