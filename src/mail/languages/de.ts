import type { MailTexts } from "./texts.ts";

export const DE: MailTexts = {
  language: "de",
  direction: "ltr",
  subject: "Ihr Code für {server}",
  asked: "Jemand hat mit dieser Adresse einen Code angefordert, um sich bei {server} anzumelden.",
  browser: "Angefordert in:",
  code: "Ihr Code:",
  codeOfTeam: "Ihr Code für das Team {team}:",
  validity: "Er gilt einmal, {minutes} Minuten lang, in dem Browser, der ihn angefordert hat.",
  warning: "Niemand wird Sie je nach diesem Code fragen. Geben Sie ihn nur auf der Seite von {server} ein.",
  ignore: "Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese Mail. Ohne den Code kann sich niemand anmelden.",
};
