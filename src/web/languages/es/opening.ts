import type { texts as english } from "../en/opening.ts";
import type { Translation } from "../translations.ts";
import { atTime, dated } from "./times.ts";

/** What the screens of a secret that is opened say, in Spanish. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  open: {
    title: "Alguien te envió un secreto",
    titleBySender: "Te enviaron un secreto",
    files: (count) => plural(count, { one: "1 archivo", many: "{n} de archivos", other: "{n} archivos" }),
    both: (count) =>
      plural(count, { one: "Texto y 1 archivo", many: "Texto y {n} de archivos", other: "Texto y {n} archivos" }),
    times: (left) =>
      plural(left, {
        one: "Se puede abrir una vez.",
        many: "Se puede abrir {n} de veces.",
        other: "Se puede abrir {n} veces.",
      }),
    moreTimes: (left) =>
      plural(left, {
        one: "Se puede abrir 1 vez más.",
        many: "Se puede abrir {n} de veces más.",
        other: "Se puede abrir {n} veces más.",
      }),
    lastTime:
      "Después, el enlace ya no le servirá a nadie. Ten preparado un lugar seguro, como un gestor de contraseñas.",
    oneOfSeveral: "Si lo abres, cuenta como una vez.",
    until: (when) => `Caduca ${dated(when)}.`,
    getPassphrase: "Pide antes la frase de contraseña a quien te lo envió.",
    tryAgain: "Al abrirlo, el secreto llega a esta pestaña. Aquí puedes probar todas las veces que necesites.",
    taken: "Ya abriste este enlace. Escribe la frase de contraseña y no cierres esta pestaña.",
    takenHere:
      "Ya abriste este enlace. Este navegador no puede guardarlo: no cierres ni recargues esta pestaña hasta leer el secreto.",
    notYet: "Aún no has abierto el secreto.",
    maybe: "Puede que el servidor ya haya dado el secreto. Vuelve a intentarlo enseguida en esta pestaña.",
    maybeTrying:
      "Puede que el servidor ya haya dado el secreto. Esta pestaña lo está intentando de nuevo: no la cierres.",
    refusedTrying: "El servidor respondió que no se ha dado nada. Esta pestaña lo está intentando de nuevo.",
    emptyPassphrase: "Escribe primero la frase de contraseña.",
    spaces: "Empieza o termina con un espacio. Si así no funciona, se prueba sin el espacio.",
    wrongPassphrase: "Esa frase de contraseña no funciona. Revísala y vuelve a intentarlo.",
    passphraseMissing:
      "También hace falta una frase de contraseña. Pídela a quien te lo envió o compara este enlace con el original.",
    beWary: "¿No esperabas un secreto? Pregunta a quien te dio este enlace antes de abrirlo.",
    beWaryOf: (name) => `¿No esperabas nada de ${name}? Pregunta antes de abrirlo.`,
    button: "Abrir secreto",
    opening: (percent) => (percent < 100 ? `Abriendo… ${percent} %` : "Abriendo…"),
  },
  opened: {
    text: "Secreto",
    file: "Archivo",
    from: (name) => `De ${name}`,
    theTextIsHidden: "El texto está oculto",
    hidden: "oculto",
    lines: (count) =>
      plural(count, { one: "Texto, 1 línea", many: "Texto, {n} de líneas", other: "Texto, {n} líneas" }),
    hide: "Ocultar",
    show: "Mostrar",
    showAgain: "Mostrar de nuevo",
    hideAll: "Ocultar todo",
    showAll: "Mostrar todo",
    copyAll: "Copiar todo",
    copyThis: (name) => `Copiar ${name}`,
    copiedThis: (name) => `${name}: copiado`,
    showThis: (name) => `Mostrar ${name}`,
    hideThis: (name) => `Ocultar ${name}`,
    download: (name) => `Descargar ${name}`,
    save: "Descargar",
    saveAll: "Descargar ZIP",
    saved: (size) => `${size} · descargado`,
    archive: "secret.zip",
    notZipped: "No se puede crear el ZIP. Revisa tu conexión o descarga los archivos uno a uno.",
    preview: (name) => `Vista previa de ${name}`,
    noPreview: "Este navegador no puede mostrarlo. Descárgalo.",
    more: (count) =>
      plural(count, {
        one: "En el ZIP hay 1 archivo más.",
        many: "En el ZIP hay {n} de archivos más.",
        other: "En el ZIP hay {n} archivos más.",
      }),
    keep: "Guarda ahora lo que necesites. No se puede volver a mostrar.",
    keepNow: "Guarda ahora lo que necesites.",
    keepInTab: (left) => `Guarda ahora lo que necesites. Te quedan ${left} para volver a mostrarlo en esta pestaña.`,
    keepInBrowser: (left) =>
      `Guarda ahora lo que necesites. Te quedan ${left} para volver a mostrarlo en este navegador.`,
    left: (left) =>
      plural(left, {
        one: "El enlace se puede abrir 1 vez más.",
        many: "El enlace se puede abrir {n} de veces más.",
        other: "El enlace se puede abrir {n} veces más.",
      }),
    noFiles: "No contiene archivos, solo carpetas.",
    longText: "Esto es solo el principio. Copiar y Descargar incluyen todo el texto.",
    textFile: "secret.txt",
    cannotOpen: "Este secreto no se puede abrir",
    undecryptable:
      "No se puede descifrar: el enlace o la frase de contraseña no le corresponde, o el contenido se alteró. Pide que te lo envíen de nuevo.",
    unsafe:
      "No se puede descomprimir el contenido de este secreto: no es seguro, es inusual o tiene demasiados archivos. Pide que te lo envíen de nuevo.",
    damaged:
      "Este archivo comprimido está dañado, así que su contenido no se puede mostrar. Puedes descargarlo tal como está y pedir que te lo envíen de nuevo.",
    refused: {
      version: "Este secreto tiene un formato que esta página no conoce. Avisa a quien administra el servidor.",
      settings:
        "Este secreto se cifró con ajustes que esta página rechaza, porque abrirlo podría tardar muchísimo. Pide que te lo envíen de nuevo con handoff.",
      otherwise:
        "Este secreto se cifró para otra clave, así que esta página no puede abrirlo. Pide que te lo envíen de nuevo.",
    },
    erase: "Listo, borrar ya",
    erasing: "Borrando…",
    eraseFirst: (rest) => ({
      title: "¿Borrar sin guardar el secreto?",
      text: `No lo has copiado ni guardado todo. ${rest}`,
      confirm: "Borrar",
    }),
    notAgain: "No se puede volver a mostrar.",
    maybeNotAgain: "Puede que no logres abrirlo otra vez.",
    notErased: "No se pudo pedir al servidor que lo borre. Vuelve a intentarlo o deja que se acabe el tiempo.",
    erased: {
      title: "Borrado",
      text: "El secreto ya no está en el servidor ni en esta página. Puedes cerrarla.",
    },
    erasedHere: (rest) => ({ title: "Borrado aquí", text: `El secreto ya no está en esta página. ${rest}` }),
    canClose: "Puedes cerrarla.",
  },
  ended: {
    titles: {
      opened: "Este secreto ya se abrió",
      openedByYou: "Abriste este secreto",
      expired: "Este secreto caducó",
    },
    claimed: (when) => ({
      text: `Se abrió ${dated(when)}.`,
      warning: "Si no fuiste tú, avisa a quien te lo envió: puede que lo tenga otra persona.",
    }),
    claimedTimes: (times, when) => ({
      text: plural(times, {
        one: `Se abrió ${dated(when)}.`,
        many: `Se abrió {n} de veces, la última ${dated(when)}.`,
        other: `Se abrió {n} veces, la última ${dated(when)}.`,
      }),
      warning: "Si no te consta, avisa a quien te lo envió: puede que lo tenga otra persona.",
    }),
    claimLost: (when, asked) => ({
      text: `Se abrió ${dated(when)}. Esta pestaña lo pidió ${dated(asked)} y la respuesta nunca llegó. Pide que te lo envíen de nuevo.`,
      warning: "Si las horas no coinciden, puede que lo tenga otra persona.",
    }),
    openedElsewhere: (time) => `Lo abriste aquí ${atTime(time)}, en otra pestaña.`,
    askedElsewhere: {
      title: "Estás abriendo este secreto",
      text: "Otra pestaña lo ha pedido y de momento no ha recibido respuesta.",
    },
    again: (left) => `Te quedan ${left} para volver a mostrarlo.`,
    openedHere: (when) => `Lo abriste ${dated(when)}. Si lo necesitas otra vez, pídelo a quien te lo envió.`,
    openedOneOfSeveral: (when, left) =>
      plural(left, {
        one: `Lo abriste ${dated(when)}. La última vez que lo tuviste aquí, el enlace se podía abrir 1 vez más. Ábrelo de nuevo desde el mensaje.`,
        other: `Lo abriste ${dated(when)}. La última vez que lo tuviste aquí, el enlace se podía abrir {n} veces más. Ábrelo de nuevo desde el mensaje.`,
      }),
    expired: (when) => `Caducó ${dated(when)}. Pide un enlace nuevo a quien te lo envió.`,
    neverOpened: (when) => `Caducó ${dated(when)} y nunca se abrió. Pide un enlace nuevo a quien te lo envió.`,
    revoked: (when) => ({
      title: "Este secreto se revocó",
      text: `Se revocó ${dated(when)}. Si lo necesitas, pídelo a quien te lo envió.`,
    }),
  },
});
