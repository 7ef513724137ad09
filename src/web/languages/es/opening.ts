import type { texts as english } from "../en/opening.ts";
import type { Translation } from "../translations.ts";
import { atTime } from "./times.ts";

/** What the screens of a secret that is opened say, in Spanish. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  open: {
    title: "Has recibido datos confidenciales",
    titleBy: (name) => `${name} te envió datos confidenciales`,
    titleHere: "Escribe la frase secreta",
    files: (count) => plural(count, { one: "1 archivo", other: "{n} archivos" }),
    both: (count) => plural(count, { one: "Texto y 1 archivo", other: "Texto y {n} archivos" }),
    times: (left) => plural(left, { one: "Se abre una vez", other: "Se abre {n} veces" }),
    moreTimes: (left) => plural(left, { one: "Se abre 1 vez más", other: "Se abre {n} veces más" }),
    until: (when) => `Caduca ${when}`,
    passphraseHint: "Pídesela a quien te envió el secreto. Puedes probar las veces que haga falta.",
    taken:
      "El secreto ya está aquí, pero aún cerrado con la frase secreta. No cierres esta pestaña hasta que lo hayas leído.",
    takenHere:
      "El secreto ya está aquí, pero aún cerrado con la frase secreta. Este navegador no puede guardarlo: no cierres ni recargues esta pestaña hasta que lo hayas leído.",
    notYet: "Aún no has abierto el secreto.",
    maybe: "Puede que el secreto ya haya salido del servidor. Vuelve a intentarlo enseguida en esta pestaña.",
    maybeTrying: "Puede que el secreto ya haya salido del servidor. Esta pestaña sigue intentándolo: no la cierres.",
    refusedTrying: "El servidor respondió que el secreto sigue ahí. Esta pestaña sigue intentándolo.",
    emptyPassphrase: "Primero escribe la frase secreta.",
    spaces: "Empieza o termina con un espacio. Si así no funciona, se prueba sin el espacio.",
    wrongPassphrase: "Esa frase secreta no funciona. Revísala y vuelve a intentarlo.",
    passphraseMissing:
      "También hace falta una frase secreta. Pídesela a quien te envió el enlace, o compara este enlace con el original.",
    beWary: "¿No lo esperabas? Antes de abrirlo, pregunta a quien te envió el enlace.",
    beWaryOf: (name) => `¿No lo esperabas? Antes de abrirlo, pregunta a ${name}.`,
    button: "Abrir el secreto",
    opening: (percent) => (percent < 100 ? `Abriendo… ${percent} %` : "Abriendo…"),
  },
  opened: {
    text: "Secreto",
    file: "Archivo",
    from: (name) => `De ${name}`,
    theTextIsHidden: "El texto está oculto",
    hidden: (characters) =>
      plural(characters, {
        one: "Oculto, 1 carácter",
        many: "Oculto, {n} de caracteres",
        other: "Oculto, {n} caracteres",
      }),
    lines: (count) =>
      plural(count, { one: "Texto, 1 línea", many: "Texto, {n} de líneas", other: "Texto, {n} líneas" }),
    fields: (count) => plural(count, { one: "1 campo", other: "{n} campos" }),
    hide: "Ocultar",
    show: "Mostrar",
    showAgain: "Mostrar de nuevo",
    hideAll: "Ocultar todo",
    showAll: "Mostrar todo",
    copyAll: "Copiar todo",
    copyThis: (name) => `Copiar ${name}`,
    copiedThis: (name) => `Se copió ${name}`,
    showThis: (name) => `Mostrar ${name}`,
    hideThis: (name) => `Ocultar ${name}`,
    download: (name) => `Descargar ${name}`,
    save: "Descargar",
    saveAll: "Descargar todo (ZIP)",
    saved: (size) => `${size} · descargado`,
    archive: "secret.zip",
    notZipped: "No se pudo crear el ZIP. Revisa tu conexión o descarga los archivos uno a uno.",
    preview: (name) => `Vista previa de ${name}`,
    noPreview: "Este navegador no puede mostrarlo. Descárgalo.",
    keep: "Guárdalo ahora. No se puede volver a mostrar.",
    keepNow: "Guárdalo ahora.",
    keepInTab: (left) => `Guárdalo ahora. Tienes ${left} para volver a verlo en esta pestaña.`,
    keepInBrowser: (left) => `Guárdalo ahora. Tienes ${left} para volver a verlo en este navegador.`,
    timeLeft: "Tiempo restante",
    find: "Buscar un archivo",
    noneFound: "Ningún archivo se llama así.",
    showMore: (count) => plural(count, { other: "Mostrar {n} más" }),
    left: (left) =>
      plural(left, {
        one: "El enlace se puede abrir 1 vez más.",
        other: "El enlace se puede abrir {n} veces más.",
      }),
    noFiles: "No contiene archivos, solo carpetas.",
    longText: "Esto es solo el principio. Al copiar o descargar se incluye todo el texto.",
    textFile: "secret.txt",
    cannotOpen: "No se puede abrir este secreto",
    undecryptable:
      "No se puede descifrar: el enlace o la frase secreta no le corresponden, o alguien lo modificó. Pide que te lo envíen de nuevo.",
    unsafe:
      "No se puede descomprimir este secreto: su contenido no es seguro, es inusual o tiene demasiados archivos. Pide que te lo envíen de nuevo.",
    damaged:
      "Este archivo comprimido está dañado y no se puede mostrar lo que contiene. Puedes descargarlo tal cual y pedir que te lo envíen de nuevo.",
    refused: {
      version: "Esta página no conoce el formato de este secreto. Avisa a quien administra el servidor.",
      settings:
        "Este secreto se cifró con ajustes que esta página rechaza, porque abrirlo podría tardar muchísimo. Pide que te lo envíen de nuevo con handoff.",
      otherwise:
        "Este secreto se cifró para otra clave y esta página no puede abrirlo. Pide que te lo envíen de nuevo.",
    },
    erase: "Listo, borrar ahora",
    erasing: "Borrando…",
    eraseFirst: (rest) => ({
      title: "¿Borrar sin guardar el secreto?",
      text: `No has copiado ni guardado todo el contenido. ${rest}`,
      confirm: "Borrar",
    }),
    notAgain: "No se puede volver a mostrar.",
    maybeNotAgain: "Puede que no logres abrirlo otra vez.",
    notErased: "No se pudo avisar al servidor para que lo borre. Vuelve a intentarlo o deja que se acabe el tiempo.",
    erased: {
      title: "Borrado",
      text: "El secreto se borró del servidor y de esta página. Ya puedes cerrarla.",
    },
    erasedHere: (rest) => ({ title: "Borrado aquí", text: `El secreto se borró de esta página. ${rest}` }),
    canClose: "Ya puedes cerrarla.",
  },
  ended: {
    titles: {
      opened: "Este secreto ya se abrió",
      openedByYou: "Ya abriste este secreto",
      expired: "Este secreto caducó",
    },
    claimed: (when) => ({
      text: `Se abrió ${when}.`,
      warning: "Si no fuiste tú, avisa a quien te lo envió: puede que lo tenga otra persona.",
    }),
    claimedTimes: (times, when) => ({
      text: plural(times, {
        one: `Se abrió ${when}.`,
        other: `Se abrió {n} veces, la última ${when}.`,
      }),
      warning: "Si no sabías nada de esto, avisa a quien te lo envió: puede que lo tenga otra persona.",
    }),
    claimLost: (when, asked) => ({
      text: `Se abrió ${when}. Esta pestaña intentó abrirlo ${asked}, pero la respuesta nunca llegó. Pide que te lo envíen de nuevo.`,
      warning: "Si las horas no coinciden, puede que lo tenga otra persona.",
    }),
    openedElsewhere: (time) => `Lo abriste aquí ${atTime(time)}, en otra pestaña.`,
    askedElsewhere: {
      title: "Estás abriendo este secreto",
      text: "Otra pestaña intentó abrirlo y aún no ha recibido respuesta.",
    },
    again: (left) => `Tienes ${left} para volver a verlo.`,
    openedHere: (when) => `Lo abriste ${when}. Si lo necesitas otra vez, pídeselo a quien te lo envió.`,
    openedOneOfSeveral: (when, left) =>
      plural(left, {
        one: `Lo abriste ${when}. La última vez que lo viste aquí, el enlace se podía abrir 1 vez más. Vuelve a abrirlo desde el mensaje.`,
        other: `Lo abriste ${when}. La última vez que lo viste aquí, el enlace se podía abrir {n} veces más. Vuelve a abrirlo desde el mensaje.`,
      }),
    expired: (when) => `Caducó ${when}. Pide un enlace nuevo a quien te lo envió.`,
    neverOpened: (when) => `Caducó ${when} sin que nadie lo abriera. Pide un enlace nuevo a quien te lo envió.`,
    revoked: (when) => ({
      title: "Este secreto fue revocado",
      text: `Se revocó ${when}. Si lo necesitas, pídeselo a quien te lo envió.`,
    }),
  },
});
