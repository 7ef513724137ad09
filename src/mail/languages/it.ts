import type { MailTexts } from "./texts.ts";

export const IT: MailTexts = {
  language: "it",
  direction: "ltr",
  subject: "Il tuo codice per {server}",
  asked: "Qualcuno ha chiesto un codice per accedere a {server} con questo indirizzo.",
  browser: "Chiesto in:",
  code: "Il tuo codice:",
  codeOfTeam: "Il tuo codice per il team {team}:",
  validity: "Funziona una volta, per {minutes} minuti, nel browser che lo ha chiesto.",
  warning: "Nessuno ti chiederà mai questo codice. Scrivilo solo nella pagina di {server}.",
  ignore: "Se non lo hai chiesto, ignora questa mail. Nessuno può accedere senza il codice.",
};
