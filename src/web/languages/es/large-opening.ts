import type { texts as english } from "../en/large-opening.ts";
import type { Translation } from "../translations.ts";

/** What the screens of a large secret that is opened say, in Spanish. */
export const texts: Translation<typeof english> = () => ({
  largeOpening: {
    noRoom: (size) =>
      `Este navegador no tiene espacio para ${size}. Libera espacio y recarga esta página, o abre el enlace con el comando «handoff open». Aún no has abierto el secreto.`,
    noRoomToCollect: (size) =>
      `Este navegador no tiene espacio para ${size}. Libera espacio y vuelve a intentarlo, o ábrelo en la línea de comandos: escribe «handoff collect -» y pega el enlace de respaldo de esta solicitud.`,
    unable:
      "Este navegador no puede guardar un secreto tan grande. En las ventanas privadas no suele ser posible. Copia el enlace de donde lo recibiste y ábrelo en otro navegador o con el comando «handoff open». Aún no has abierto el secreto.",
    locked:
      "El servidor ha entregado el secreto a esta pestaña. Sigue cerrado con la frase secreta. No cierres esta pestaña hasta que lo hayas abierto.",
    progressLabel: "Apertura",
    progress: (done, total) => `${done} de ${total}`,
    rate: (size) => `${size}/s`,
    left: (time) => `quedan ${time}`,
    keepOpen: "No cierres esta pestaña hasta que haya llegado todo.",
    stop: "Detener",
    stopped: "Detenido. Se ha borrado lo que había llegado.",
    unwritable:
      "Este navegador no puede guardar el secreto: puede que el disco esté lleno. Se ha borrado lo que había llegado.",
    again: (time) => `Puedes volver a abrirlo en esta pestaña hasta las ${time}.`,
    damaged: "Este secreto está cortado o alterado, así que no se muestra nada. Pide que te lo envíen de nuevo.",
    saveAll: "Descargar todo",
    zipping: (percent) => `Creando el ZIP… ${percent} %`,
    stored:
      "Este navegador lo guarda en tu dispositivo hasta que cierres esta página. Espera a que terminen tus descargas.",
    gone: "Este navegador ya no tiene el archivo. Si queda tiempo, recarga esta página para obtenerlo otra vez.",
  },
});
