import type { MailTexts } from "./texts.ts";

export const ES: MailTexts = {
  language: "es",
  direction: "ltr",
  subject: "Tu código para {server}",
  asked: "Alguien ha pedido un código para iniciar sesión en {server} con esta dirección.",
  browser: "Pedido en:",
  code: "Tu código:",
  codeOfTeam: "Tu código para el equipo {team}:",
  validity: "Sirve una vez, durante {minutes} minutos, en el navegador que lo pidió.",
  warning: "Nadie te pedirá nunca este código. Escríbelo solo en la página de {server}.",
  ignore: "Si no lo has pedido, ignora este correo. Nadie puede iniciar sesión sin el código.",
};
