import type { texts as english } from "../en/approving.ts";
import type { Translation } from "../translations.ts";

/** What the screens say about the approval of an opening, in Italian. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  approving: {
    wanted: "Qualcuno deve autorizzarti prima che tu possa aprirlo.",
    wantedOf: (name) => `${name} deve autorizzarti prima che tu possa aprirlo.`,
    how: "Ricevi tre parole. Potrebbero chiamarti e chiederti quali parole vedi.",
    button: "Chiedi di aprirlo",
    asking: "Richiesta in corso…",
    waiting: "In attesa di autorizzazione",
    waitingFor: (name) => `In attesa di ${name}`,
    compare: "Chi decide vede le stesse tre parole. Se ti chiamano per chiederle, leggile.",
    three: "Tre parole",
    english: "Le parole sono in inglese.",
    goesOn: (time) => `Tieni aperta questa pagina: prosegue da sola. L'attesa finisce alle ${time}.`,
    triesAgain: "Questa pagina riprova da sola.",
    letIn: (time) => `Hai l'autorizzazione. Aprilo entro le ${time}.`,
    refused: {
      title: "La risposta è no",
      text: "Non hai aperto il segreto. Se ti serve, parla con chi lo ha inviato, poi chiedi di nuovo.",
    },
    over: "La tua richiesta non vale più. C'è un'ora per decidere e, con l'autorizzazione, 10 minuti per aprirlo. Chiedi di nuovo se il segreto ti serve ancora.",
    again: "Chiedi di nuovo",
    tooMany: "Troppe altre persone sono già in attesa. Parla con chi lo ha inviato o riprova più tardi.",
    elsewhere:
      "Non è stato aperto in questa scheda. È stato autorizzato qualcun altro, oppure tu in un altro browser. Se ti serve ancora, parla con chi lo ha inviato.",
  },
  approval: {
    who: "Chi deve autorizzare?",
    choices: { nobody: "Nessuno", sender: "Prima chiedi a me", team: "Qualcun altro del team" },
    meanings: {
      sender: "Ogni volta che qualcuno vuole aprirlo, Attività ti chiede se lo autorizzi.",
      team: "Ogni volta che qualcuno vuole aprirlo, Attività chiede agli altri del tuo team se lo autorizzano. Tu non puoi.",
    },
    worth: "Se ne occupa il server. Chi lo gestisce potrebbe saltare questo passaggio, quindi tieni segreto il link.",
    required: "Lo chiedono le regole del tuo team.",
    inBrief: { sender: "prima chiedi a me", team: "autorizza qualcun altro" },
    lede: (times, when) =>
      plural(times, {
        one: `Chiunque lo abbia può chiedere di aprire il segreto, che si apre una volta, fino a ${when}. Il link non verrà più mostrato.`,
        other: `Chiunque lo abbia può chiedere di aprire il segreto, che si apre {n} volte, fino a ${when}. Il link non verrà più mostrato.`,
      }),
    message: {
      sender: "Per aprirlo serve la mia autorizzazione. Vedrai tre parole: potrei chiamarti per chiedertele.",
      team: "Per aprirlo serve l'autorizzazione di qualcun altro del mio team. Vedrai tre parole: potrebbe chiamarti per chiedertele.",
    },
    decides: {
      sender:
        "Decidi tu chi lo apre. Quando qualcuno lo chiede, compare in Attività con tre parole che vede anche l'altra persona. Non sai chi è? Chiama e chiedi le parole.",
      team: "Qualcun altro del tuo team decide chi lo apre. Quando qualcuno lo chiede, compare nella sua Attività, non nella tua.",
    },
  },
});
