import type { MailTexts } from "./texts.ts";

export const NL: MailTexts = {
  language: "nl",
  direction: "ltr",
  subject: "Je code voor {server}",
  asked: "Iemand heeft met dit adres een code gevraagd om in te loggen bij {server}.",
  browser: "Gevraagd in:",
  code: "Je code:",
  codeOfTeam: "Je code voor het team {team}:",
  validity: "Hij werkt één keer, {minutes} minuten lang, in de browser die erom vroeg.",
  warning: "Niemand zal je ooit om deze code vragen. Typ hem alleen op de pagina van {server}.",
  ignore: "Heb je er niet om gevraagd? Negeer deze mail dan. Zonder de code kan niemand inloggen.",
};
