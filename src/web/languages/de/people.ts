import type { texts as english } from "../en/people.ts";
import type { Translation } from "../translations.ts";

/** What the screens say about the people whom a secret or a request is for, in German. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  people: {
    whoOpens: "Wer darf es öffnen?",
    whoHandsIn: "Wer darf etwas abgeben?",
    everyone: "Alle, die den Link haben",
    hint: "Geben Sie Mailadressen ein, oder *@example.com für alle einer Domain.",
    worth:
      "Der Server prüft das mit einem Code, den er an die Adresse schickt. Wer den Server betreibt, könnte das umgehen: Halten Sie den Link deshalb geheim.",
    only: "nur ausgewählte Personen",
    remove: (address) => `${address} entfernen`,
    wrong: "Das ist keine Adresse. Eine Adresse sieht so aus: ann@example.com.",
    tooMany: (most) => `Wählen Sie höchstens ${most} aus.`,
    required: "Die Regeln Ihres Teams verlangen, dass Sie sagen, wer.",
    onlyAt: (domains: string) => `Die Regeln Ihres Teams erlauben nur Personen bei: ${domains}.`,
    refused: "Der Server nimmt eine dieser Adressen nicht an. Prüfen Sie sie.",
    chosen: "Für",
    lede: (times, when) =>
      plural(times, {
        one: `Nur die ausgewählten Personen können den Inhalt öffnen, und zwar einmal. Der Link läuft ${when} ab und wird nur jetzt angezeigt.`,
        other: `Nur die ausgewählten Personen können den Inhalt öffnen, insgesamt {n}-mal. Der Link läuft ${when} ab und wird nur jetzt angezeigt.`,
      }),
    asked: "Von Ihnen erbeten",
    opened: (address) => `Von ${address} geöffnet, Adresse nachgewiesen`,
    handedIn: (address) => `Von ${address} abgegeben, Adresse nachgewiesen`,
    refusedOne: (address) =>
      `Jemand mit dem Link hat die Adresse ${address} angegeben und keine der ausgewählten nachgewiesen`,
    refusedUnnamed: "Jemand mit dem Link hat keine der ausgewählten Adressen nachgewiesen",
  },
});
