import type { MailTexts } from "./texts.ts";

export const FR: MailTexts = {
  language: "fr",
  direction: "ltr",
  subject: "Votre code pour {server}",
  asked: "Quelqu’un a demandé un code pour se connecter à {server} avec cette adresse.",
  browser: "Demandé dans :",
  code: "Votre code :",
  codeOfTeam: "Votre code pour l’équipe {team} :",
  validity: "Il fonctionne une fois, pendant {minutes} minutes, dans le navigateur qui l’a demandé.",
  warning: "Personne ne vous demandera jamais ce code. Saisissez-le uniquement sur la page de {server}.",
  ignore: "Si vous ne l’avez pas demandé, ignorez cet e-mail. Personne ne peut se connecter sans le code.",
};
