import type { texts as english } from "../en/deciding.ts";
import type { Translation } from "../translations.ts";

/** What is said where the opening of a secret has to be approved, in Dutch. */
export const texts: Translation<typeof english> = ({ number }) => ({
  deciding: {
    title: "Toelaten?",
    showAll: (count) => `Alle ${number(count)} tonen`,
    wants: "Iemand wil dit geheim openen.",
    secret: (idEnd) => `Geheim ${idEnd}`,
    same: "De ander ziet dezelfde woorden. Vraag ernaar aan de telefoon.",
    who: "Wie",
    sender: "Afzender",
    proven: (address) => `${address}, adres bewezen`,
    unproven: "iemand met de link, geen adres bewezen",
    teammate: (idEnd) => `een teamgenoot, ID ${idEnd}`,
    asked: "Gevraagd",
    until: "Einde wachttijd",
    letIn: "Toelaten",
    refuse: "Weigeren",
    refuseLater: "Toch weigeren",
    busy: { approved: "Toelaten…", refused: "Weigeren…" },
    outcomes: {
      approved: "Toegelaten, om het binnen 10 minuten één keer te openen.",
      refused: "Geweigerd. De ander kan het opnieuw vragen.",
      over: "Te laat: de tijd is om, het geheim is geopend of ingetrokken, er is opnieuw gevraagd, of iemand anders heeft beslist.",
      not_approver: "Iemand anders moet hierover beslissen.",
    },
    news: (name, list) => `Iemand wil ‘${name}’ openen: ${list}.`,
    approver: { title: "Toestemming", sender: "Van jou", team: "Van iemand anders in je team" },
    history: {
      asked: (who, list) => `Toegang gevraagd: ${who} (${list})`,
      letIn: {
        you: (list) => `Door jou toegelaten (${list})`,
        other: (list) => `Door een teamgenoot toegelaten (${list})`,
      },
      refused: {
        you: (list) => `Door jou geweigerd (${list})`,
        other: (list) => `Door een teamgenoot geweigerd (${list})`,
      },
    },
  },
});
