import type { texts as english } from "../en/submitting.ts";
import type { Translation } from "../translations.ts";

/** What the screens say on which text and files are put together, and those of a request, in Spanish. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  content: {
    label: "Secreto",
    placeholder: "Una contraseña, una clave, una nota…",
    add: "Añadir archivos",
    addFolder: "Añadir una carpeta",
    addPhoto: "Añadir una foto",
    drop: "o arrastra archivos aquí",
    dropNow: "Suelta para añadir",
    room: (limit) => `Hasta ${limit}`,
    used: (used, limit) => `${used} de ${limit}`,
    remove: (name) => `Quitar ${name}`,
    removeAll: "Quitar todo",
    moreFiles: (count) => plural(count, { one: "1 archivo más", other: "{n} archivos más" }),
    lines: (count) => plural(count, { one: "1 línea", many: "{n} de líneas", other: "{n} líneas" }),
    longText: "Demasiado largo para editarlo aquí.",
    empty: "Escribe algo o añade un archivo.",
    sameName: (name) => `Ya hay un archivo llamado ${name}. Quítalo primero o cámbiale el nombre al otro.`,
    tooMany: "Son más de 10 000 archivos y nadie podría descomprimirlos. Júntalos antes en un archivo comprimido.",
    tooLarge: (size, limit) => `Es demasiado grande: ocupa ${size} y el límite es ${limit}.`,
    fileTooLarge: (name, size, limit) => `${name} es demasiado grande: ocupa ${size} y el límite es ${limit}.`,
    badName: (name) => `No se puede enviar un archivo llamado «${name}». Cámbiale el nombre primero.`,
    unreadable: (name) => `No se puede leer ${name}. ¿Sigue en su sitio?`,
    moreRefused: (count) =>
      plural(count, {
        one: "Otro archivo tampoco se añadió.",
        other: "Otros {n} archivos tampoco se añadieron.",
      }),
    shortcut: (keys) => `o usa ${keys}`,
  },
  delivery: {
    encrypting: "Cifrando…",
    encryptingText: "El secreto aún no se ha enviado.",
    sending: "Enviando…",
    sendingText: "Ya está cifrado. No cierres esta página hasta que termine.",
    progress: "Enviado",
    left: (time) => `Terminará en ${time} aprox.`,
    waiting: "Esperando la respuesta del servidor…",
    canceling: "Cancelando…",
    cancelingText: "Si ya llegó, se revoca.",
    canceledBefore: "Cancelaste. No se envió nada.",
  },
  submit: {
    title: "Te piden datos confidenciales",
    titleBy: (name) => `${name} te pide datos confidenciales`,
    caution: "Continúa solo si sabes quién te envió este enlace.",
    label: "Lo que entregas",
    placeholder: "Escríbelo o pégalo aquí",
    terms: "Solo puede leerlo la persona que lo pidió.",
    until: (when) => `El enlace caduca ${when}.`,
    left: (count) =>
      plural(count, {
        one: "Se puede entregar 1 secreto.",
        other: "Se pueden entregar {n} secretos, de uno en uno.",
      }),
    button: "Entregar",
    showField: (name) => `Mostrar ${name}`,
    hideField: (name) => `Ocultar ${name}`,
    wrongValues: {
      missing: "Completa este campo.",
      too_long: "Es demasiado largo.",
      several_lines: "Solo puede tener una línea.",
      control_character: "Contiene un carácter que no se puede enviar.",
    },
    joined: "Pegaste varias líneas y quedaron en una sola. Revísala.",
    canceled:
      "Cancelaste, pero puede que ya haya llegado. Para asegurarte, entrégalo otra vez sin cambiar nada: así cuenta una sola vez.",
    swapped: {
      title: "Alto: no envíes nada",
      text: "El enlace está dañado o el servidor intenta leer lo que envías. No se envió nada. Copia de nuevo el enlace completo. Si no basta, avisa a quien te lo envió.",
    },
    noteBroken:
      "No se puede leer la nota de esta solicitud. El enlace está dañado o el servidor la modificó. No se envió nada.",
    paused: {
      title: "Esta solicitud está en pausa",
      text: "Ahora no se puede entregar nada. Vuelve a intentarlo más tarde o pregunta a quien te envió el enlace.",
    },
    fulfilled: {
      title: "Ya se entregó todo",
      text: "Lo que se pedía ya está entregado, por ti o por otra persona. No se acepta nada más.",
    },
    expired: { title: "Esta solicitud caducó", text: "Ya no acepta secretos. Pide un enlace nuevo." },
    revoked: {
      title: "Esta solicitud fue revocada",
      text: "Ya no acepta secretos.",
    },
    notSent: "Tu secreto no se envió.",
    kept: "Lo que escribiste sigue aquí.",
    earlierArrived:
      "Tu primer envío sí llegó y la persona que lo pidió puede abrirlo. Lo que cambiaste después no se envió: avísale.",
    done: {
      title: "Entregado",
      text: "Solo puede abrirlo la persona que lo pidió. Ya puedes cerrar esta página.",
      hadEarlier:
        "Puede que también haya llegado tu envío anterior, que quedó sin respuesta. Dile a la persona que lo pidió cuál es el correcto.",
      more: "Entregar otro",
      reference: "Referencia",
      referenceText: "La persona que lo pidió puede usarla para encontrarlo. No sirve para abrir el secreto.",
    },
  },
});
