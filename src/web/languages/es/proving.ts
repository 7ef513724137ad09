import type { texts as english } from "../en/proving.ts";
import type { Translation } from "../translations.ts";

/** What the screens of a link that is for chosen people say, in Spanish. */
export const texts: Translation<typeof english> = () => ({
  proof: {
    forAddress: (address) => `Es para ${address}.`,
    forDomain: (domain) => `Es para todas las direcciones de ${domain}.`,
    forSeveral: "Es para:",
    everyoneAt: (domain) => `Todas las direcciones de ${domain}`,
    hint: "Escribe tu dirección completa. Recibes un código por correo y no necesitas cuenta.",
    hintOne: (start, end) =>
      `Escribe la dirección completa: empieza por ${start} y termina en ${end}. Recibes un código por correo y no necesitas cuenta.`,
    sent: (address) => `Si ${address} es una de las direcciones elegidas, hay un correo con un código en camino.`,
    resent: (address) =>
      `Si ${address} es una de las direcciones elegidas, hay un correo con otro código en camino. Solo sirve el nuevo.`,
    continue: "Continuar",
    openAs: (address) => `Abrir como ${address}`,
    continueAs: (address) => `Continuar como ${address}`,
    notFor: (address) =>
      `Has iniciado sesión como ${address} y esto no es para esa dirección. Usa otra o pregunta a quien te envió el enlace.`,
    ended: "Confirmaste tu dirección hace más de 10 minutos. Pide otro código para continuar.",
    worth: "El servidor comprueba tu dirección. Aun así, mantén el enlace en secreto.",
    thenApproval: "Después, alguien tiene que autorizarte antes de que puedas abrirlo.",
    noMail: "Este servidor no envía correos. Inicia sesión en él y vuelve a abrir este enlace.",
    signIn: "Iniciar sesión",
  },
});
