import type { MailTexts } from "./texts.ts";

export const PT_BR: MailTexts = {
  language: "pt-BR",
  direction: "ltr",
  subject: "Seu código para {server}",
  asked: "Alguém pediu um código para entrar em {server} com este endereço.",
  browser: "Pedido em:",
  code: "Seu código:",
  codeOfTeam: "Seu código para a equipe {team}:",
  validity: "Ele funciona uma vez, por {minutes} minutos, no navegador que o pediu.",
  warning: "Ninguém jamais pedirá este código a você. Digite-o somente na página de {server}.",
  ignore: "Se você não o pediu, ignore este e-mail. Ninguém consegue entrar sem o código.",
};
