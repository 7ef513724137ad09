import type { texts as english } from "../en/approving.ts";
import type { Translation } from "../translations.ts";

/** What the screens say about the approval of an opening, in Dutch. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  approving: {
    wanted: "Iemand moet toestemming geven voordat je het kunt openen.",
    wantedOf: (name) => `${name} moet toestemming geven voordat je het kunt openen.`,
    how: "Je krijgt drie woorden. Misschien word je gebeld met de vraag welke woorden je ziet.",
    button: "Vragen om te openen",
    asking: "Vragen…",
    waiting: "Wachten op toestemming",
    waitingFor: (name) => `Wachten op ${name}`,
    compare: "Wie beslist, ziet dezelfde drie woorden. Word je gebeld en ernaar gevraagd? Lees ze dan voor.",
    three: "Drie woorden",
    english: "De woorden zijn Engels.",
    goesOn: (time) => `Laat deze pagina open, het gaat vanzelf verder. Je vraag blijft staan tot ${time}.`,
    triesAgain: "Deze pagina probeert het vanzelf opnieuw.",
    letIn: (time) => `Je hebt toestemming. Open het vóór ${time}.`,
    refused: {
      title: "Het antwoord is nee",
      text: "Je hebt het geheim niet geopend. Heb je het nodig? Praat met de persoon van wie je de link hebt en vraag het dan opnieuw.",
    },
    over: "Je vraag geldt niet meer. Die blijft een uur staan, en na toestemming heb je 10 minuten. Vraag het opnieuw als je het geheim nog nodig hebt.",
    again: "Opnieuw vragen",
    tooMany:
      "Er wachten al te veel anderen op toestemming. Praat met de persoon van wie je de link hebt of probeer het later opnieuw.",
    elsewhere:
      "Het is niet in dit tabblad geopend. Iemand anders kreeg toestemming, of jij in een andere browser. Heb je het nog nodig? Praat met de persoon van wie je de link hebt.",
  },
  approval: {
    who: "Wie moet toestemming geven?",
    choices: { nobody: "Niemand", sender: "Eerst aan mij vragen", team: "Iemand anders van het team" },
    meanings: {
      sender: "Telkens als iemand het wil openen, vraagt Status je of dat mag.",
      team: "Telkens als iemand het wil openen, vraagt Status de anderen van je team of dat mag. Jij kunt dat niet beslissen.",
    },
    worth: "Daar zorgt de server voor. Wie de server beheert, kan dat overslaan. Houd de link dus geheim.",
    required: "De regels van je team vragen hierom.",
    inBrief: { sender: "eerst aan mij vragen", team: "iemand anders beslist" },
    lede: (times, when) =>
      plural(times, {
        one: `Iedereen met de link kan vragen om het geheim te openen. Openen kan één keer. Het verloopt ${when}. De link wordt niet nog een keer getoond.`,
        other: `Iedereen met de link kan vragen om het geheim te openen. Openen kan {n} keer. Het verloopt ${when}. De link wordt niet nog een keer getoond.`,
      }),
    message: {
      sender:
        "Voordat het opengaat, moet ik toestemming geven. Je ziet drie woorden: misschien bel ik je om ernaar te vragen.",
      team: "Voordat het opengaat, moet iemand anders van mijn team toestemming geven. Je ziet drie woorden: misschien belt die persoon je om ernaar te vragen.",
    },
    decides: {
      sender:
        "Jij beslist wie het opent. Als iemand het vraagt, staat dat onder Status, met drie woorden die de ander ook ziet. Weet je niet wie het is? Bel en vraag naar de woorden.",
      team: "Iemand anders van je team beslist wie het opent. Als iemand het vraagt, staat dat bij hen onder Status, niet bij jou.",
    },
  },
});
