import type { texts as english } from "../en/mail.ts";
import type { Translation } from "../translations.ts";

/** What the start page says where people sign in with a code by mail, in Spanish. */
export const texts: Translation<typeof english> = () => ({
  mail: {
    address: "Tu dirección de correo",
    send: "Enviarme un código",
    sending: "Enviando…",
    noAccount: "Recibes un código por correo. ¿No tienes cuenta? Pregunta a tu administrador.",
    empty: "Escribe primero tu dirección.",
    malformed: "Una dirección es como ann@example.com.",
    sent: (address) => `Si aquí se conoce ${address}, hay un código en camino.`,
    hint: "Tiene 8 cifras y sirve durante 10 minutos, en este navegador. ¿No llega? Mira en la carpeta de spam.",
    code: "Código del correo",
    emptyCode: "Escribe primero el código.",
    malformedCode: "Un código tiene 8 cifras.",
    wrong: "Este código no sirve. Usa el del correo más reciente. Después de 5 erróneos necesitas otro.",
    over: "Caducó, ya se usó o se escribieron 5 códigos erróneos. Envía otro código.",
    another: "Enviar otro código",
    resent: (address) => `Si aquí se conoce ${address}, hay otro código en camino. Solo sirve el nuevo.`,
    otherAddress: "Otra dirección",
    limited: "Se han pedido demasiados códigos. Vuelve a intentarlo dentro de un cuarto de hora.",
  },
});
