import type { MailTexts } from "./texts.ts";

export const PL: MailTexts = {
  language: "pl",
  direction: "ltr",
  subject: "Twój kod do {server}",
  asked: "Ktoś poprosił o kod do logowania na {server} z tym adresem.",
  browser: "Przeglądarka:",
  code: "Twój kod:",
  codeOfTeam: "Twój kod dla zespołu {team}:",
  validity: "Działa raz, przez {minutes} minut, w przeglądarce, w której o niego poproszono.",
  warning: "Nikt nigdy nie poprosi Cię o ten kod. Wpisz go tylko na stronie {server}.",
  ignore: "Jeśli to nie Ty, zignoruj tę wiadomość. Bez kodu nikt się nie zaloguje.",
};
