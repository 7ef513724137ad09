import type { texts as english } from "../en/submitting.ts";
import type { Translation } from "../translations.ts";
import { dated } from "./times.ts";

/** What the screens say on which text and files are put together, and those of a request, in Spanish. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  content: {
    label: "Secreto",
    placeholder: "Una contraseña, una clave, una nota…",
    add: "Añadir archivos",
    addFolder: "Añadir carpeta",
    addPhoto: "Añadir foto",
    drop: "o suelta archivos en cualquier parte",
    dropNow: "Suelta para añadir",
    room: (limit) => `Hasta ${limit}`,
    used: (used, limit) => `${used} de ${limit}`,
    remove: (name) => `Quitar ${name}`,
    removeAll: "Quitar todo",
    moreFiles: (count) =>
      plural(count, { one: "1 archivo más", many: "{n} de archivos más", other: "{n} archivos más" }),
    lines: (count) => plural(count, { one: "1 línea", many: "{n} de líneas", other: "{n} líneas" }),
    longText: "Demasiado largo para editarlo aquí.",
    empty: "Escribe algo o añade un archivo.",
    sameName: (name) => `Ya hay un archivo llamado ${name}. Quítalo antes o cambia el nombre del otro.`,
    tooMany: "Son más de 10 000 archivos y nadie podría descomprimirlos. Reúnelos antes en un archivo comprimido.",
    tooLarge: (size, limit) => `Es demasiado grande: ocupa ${size} y el límite es ${limit}.`,
    fileTooLarge: (name, size, limit) => `${name} es demasiado grande: ocupa ${size} y el límite es ${limit}.`,
    badName: (name) => `No se puede enviar un archivo con el nombre «${name}». Cámbialo antes.`,
    unreadable: (name) => `No se puede leer ${name}. ¿Sigue ahí?`,
    moreRefused: (count) =>
      plural(count, {
        one: "No se añadió 1 archivo más.",
        many: "No se añadieron {n} de archivos más.",
        other: "No se añadieron {n} archivos más.",
      }),
    shortcut: (keys) => `o presiona ${keys}`,
  },
  delivery: {
    encrypting: "Cifrando…",
    encryptingText: "El secreto todavía no se ha enviado.",
    sending: "Enviando…",
    sendingText: "Ya está cifrado. Deja esta página abierta hasta que termine.",
    progress: "Enviado",
    left: (time) => `Tiempo restante: aprox. ${time}`,
    waiting: "Esperando la respuesta del servidor…",
    canceling: "Cancelando…",
    cancelingText: "Si ya llegó, se revoca.",
    canceledBefore: "Cancelaste. No se envió nada.",
  },
  submit: {
    title: "Te han solicitado un secreto",
    titleBy: (name) => `${name} te solicita un secreto`,
    caution: "Continúa solo si sabes quién te envió este enlace.",
    cautionHelp: "¿Tienes dudas? Llama a esa persona a un número que ya tengas.",
    label: "Lo que entregas",
    placeholder: "Escríbelo o pégalo aquí",
    terms: (when) =>
      `Solo puede leerlo la persona que lo solicitó. No necesitas una cuenta. El enlace caduca ${dated(when)}.`,
    left: (count) =>
      plural(count, {
        one: "Se puede entregar 1 secreto.",
        many: "Se pueden entregar {n} de secretos, de uno en uno.",
        other: "Se pueden entregar {n} secretos, de uno en uno.",
      }),
    button: "Entregar",
    canceled:
      "Cancelaste, pero puede que ya haya llegado. Para asegurarte, entrégalo de nuevo sin cambios: así cuenta una sola vez.",
    swapped: {
      title: "Alto: no envíes nada",
      text: "El enlace está dañado o el servidor intenta leer lo que envías. No se envió nada. Copia de nuevo el enlace completo. Si no sirve, avisa a quien te lo envió.",
    },
    noteBroken:
      "No se puede leer la nota de esta solicitud. El enlace está dañado o el servidor la cambió. No se envió nada.",
    paused: {
      title: "Esta solicitud está en pausa",
      text: "Ahora no se puede entregar nada. Vuelve a intentarlo más tarde o pregunta a quien te envió el enlace.",
    },
    fulfilled: {
      title: "Ya se entregó",
      text: "Tú u otra persona ya entregó todo lo que se solicitó. No se acepta nada más.",
    },
    expired: { title: "Esta solicitud caducó", text: "Ya no acepta secretos. Pide un enlace nuevo." },
    revoked: {
      title: "Esta solicitud se revocó",
      text: "Ya no acepta secretos.",
    },
    notSent: "Tu secreto no se envió.",
    kept: "Lo que escribiste sigue aquí.",
    earlierArrived:
      "Lo que enviaste primero sí llegó y la persona que lo solicitó puede abrirlo. Lo que cambiaste después no se envió: avísale.",
    done: {
      title: "Entregado",
      text: "Está cifrado y solo puede abrirlo la persona que lo solicitó. Puedes cerrar esta página.",
      hadEarlier:
        "Puede que también haya llegado lo que enviaste antes, sin respuesta. Di a la persona que lo solicitó cuál es el correcto.",
      more: "Entregar otro",
      reference: "Referencia",
      referenceText: "Ayuda a encontrarlo si la persona que lo solicitó no lo ve. No abre nada.",
    },
  },
});
