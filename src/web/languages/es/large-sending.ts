import type { texts as english } from "../en/large-sending.ts";
import type { Translation } from "../translations.ts";

/** What the screens say while a secret is sent in pieces, in Spanish. */
export const texts: Translation<typeof english> = () => ({
  largeSending: {
    keepOpen:
      "Cada parte se cifra antes de salir. Mantén abierta esta pestaña. Si se corta la conexión o el dispositivo se suspende, el envío continúa donde estaba.",
    rate: (size) => `${size}/s`,
    line: {
      title: "No se puede acceder al servidor",
      text: "El envío continuará donde estaba en cuanto vuelva la conexión. Mantén abierta esta pestaña.",
    },
    server: {
      title: "Esperando al servidor",
      text: "El servidor no está disponible. El envío continuará donde estaba en cuanto pueda. Mantén abierta esta pestaña.",
    },
    storage: {
      title: "Esperando al servidor",
      text: "El servidor no puede guardar nada ahora: quizá su disco esté lleno. El envío continuará donde estaba en cuanto pueda. Mantén abierta esta pestaña.",
    },
    tryNow: "Intentar ahora",
    stopped: "Has cancelado, así que no hay enlace. El servidor elimina lo que ha llegado, como muy tarde en un día.",
    ended: "El servidor ha terminado el envío, así que no hay enlace. Lo que elegiste sigue aquí: envíalo de nuevo.",
    stoppedHandIn:
      "Has cancelado, así que no se ha entregado nada. El servidor borra lo que ha llegado, como muy tarde en un día.",
    maybeHandedIn: "Has cancelado, pero puede que ya se haya entregado. Pregunta a la persona que te lo pidió.",
    endedHandIn:
      "El servidor ha terminado la subida, así que no se ha entregado nada. Lo que elegiste sigue aquí: entrégalo otra vez.",
  },
});
