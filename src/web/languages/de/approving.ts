import type { texts as english } from "../en/approving.ts";
import type { Translation } from "../translations.ts";

/** What the screens say about the approval of an opening, in German. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  approving: {
    wanted: "Jemand muss zustimmen, bevor Sie den Inhalt öffnen können.",
    wantedOf: (name) => `${name} muss zustimmen, bevor Sie den Inhalt öffnen können.`,
    how: "Sie bekommen drei Wörter. Vielleicht werden Sie angerufen und gefragt, welche Wörter Sie sehen.",
    button: "Um Öffnen bitten",
    asking: "Wird gefragt …",
    waiting: "Warten auf Zustimmung",
    waitingFor: (name) => `Warten auf ${name}`,
    compare:
      "Dieselben drei Wörter stehen dort, wo entschieden wird. Wenn jemand am Telefon danach fragt, lesen Sie sie vor.",
    three: "Drei Wörter",
    english: "Die Wörter sind englisch.",
    goesOn: (time) => `Lassen Sie diese Seite offen, es geht von selbst weiter. Ihre Bitte wartet bis ${time} Uhr.`,
    triesAgain: "Diese Seite versucht es von selbst noch einmal.",
    letIn: (time) => `Es wurde zugestimmt. Öffnen Sie den Inhalt bis ${time} Uhr.`,
    refused: {
      title: "Die Antwort ist Nein",
      text: "Sie haben den Inhalt nicht geöffnet. Wenn Sie ihn brauchen, sprechen Sie mit dem Absender und bitten Sie dann noch einmal.",
    },
    over: "Ihre Bitte gilt nicht mehr. Sie wartet eine Stunde, und nach der Zustimmung haben Sie 10 Minuten Zeit. Bitten Sie noch einmal, wenn Sie den Inhalt noch brauchen.",
    again: "Noch einmal bitten",
    tooMany:
      "Zu viele andere warten schon auf Zustimmung. Sprechen Sie mit dem Absender oder versuchen Sie es später noch einmal.",
    elsewhere:
      "In diesem Tab wurde der Inhalt nicht geöffnet. Die Zustimmung bekam jemand anders, oder Sie in einem anderen Browser. Wenn Sie den Inhalt noch brauchen, sprechen Sie mit dem Absender.",
  },
  approval: {
    who: "Wer muss zustimmen?",
    choices: { nobody: "Niemand", sender: "Erst mich fragen", team: "Jemand anders im Team" },
    meanings: {
      sender: "Immer wenn jemand den Inhalt öffnen will, fragt Sie der Verlauf, ob Sie zustimmen.",
      team: "Immer wenn jemand den Inhalt öffnen will, fragt der Verlauf die anderen in Ihrem Team, ob sie zustimmen. Sie selbst können das nicht.",
    },
    worth: "Dafür sorgt der Server. Wer ihn betreibt, könnte das umgehen: Halten Sie den Link deshalb geheim.",
    required: "Die Regeln Ihres Teams verlangen das.",
    inBrief: { sender: "erst mich fragen", team: "jemand anders stimmt zu" },
    lede: (times, when) =>
      plural(times, {
        one: `Wer ihn hat, kann darum bitten, den Inhalt zu öffnen. Das geht einmal. Der Link läuft ${when} ab und wird nur jetzt angezeigt.`,
        other: `Wer ihn hat, kann darum bitten, den Inhalt zu öffnen. Das geht insgesamt {n}-mal. Der Link läuft ${when} ab und wird nur jetzt angezeigt.`,
      }),
    message: {
      sender:
        "Bevor es sich öffnen lässt, muss ich zustimmen. Es erscheinen drei Wörter, nach denen ich vielleicht am Telefon frage.",
      team: "Bevor es sich öffnen lässt, muss jemand anderes aus meinem Team zustimmen. Es erscheinen drei Wörter, nach denen diese Person vielleicht am Telefon fragt.",
    },
    decides: {
      sender:
        "Sie entscheiden, wer den Inhalt öffnet. Wenn jemand darum bittet, steht das im Verlauf, mit drei Wörtern, die auch die andere Person sieht. Sie wissen nicht, wer es ist? Rufen Sie an und fragen Sie nach den Wörtern.",
      team: "Jemand anders in Ihrem Team entscheidet, wer den Inhalt öffnet. Wenn jemand darum bittet, steht das dort im Verlauf, nicht bei Ihnen.",
    },
  },
});
