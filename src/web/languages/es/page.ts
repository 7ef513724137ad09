import type { texts as english } from "../en/page.ts";
import type { Translation } from "../translations.ts";
import { atTime } from "./times.ts";

/** What every screen may say, in Spanish. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  language: "es",
  direction: "ltr",
  name: "handoff",
  loading: "Un momento…",
  slow: "El servidor aún no responde.",
  frame: {
    promise: "Cifrado en tu navegador. Este servidor no puede leerlo.",
    about: "Cómo funciona",
    commandLine: "Línea de comandos",
    api: "API",
    contact: "Ayuda",
    imprint: "Aviso legal",
    privacy: "Privacidad",
    runOn: (host) => `Estás en ${host}. Este servidor no puede leer lo que compartes.`,
    runBy: (name, host) => `Un servicio de ${name} en ${host}. El servidor no puede leer lo que compartes.`,
    language: "Idioma",
  },
  cancel: "Cancelar",
  leaving: {
    typed: {
      title: "¿Descartar lo que escribiste?",
      text: "No se ha enviado y esta página no lo guarda.",
      confirm: "Descartar",
    },
    link: {
      title: "¿Salir sin copiar el enlace?",
      text: "El enlace no se vuelve a mostrar.",
      confirm: "Salir",
    },
    secret: {
      title: "¿Cerrar sin guardar el secreto?",
      text: "No has copiado ni guardado todo el contenido.",
      confirm: "Cerrar",
    },
  },
  copy: "Copiar",
  copied: "Copiado",
  notCopied: "Este navegador no permite copiar desde la página. El texto está seleccionado: cópialo tú.",
  insecure: {
    title: "Esta página necesita HTTPS",
    text: "La dirección empieza por http: alguien podría interceptar la conexión, modificar esta página y quedarse con el secreto. Ábrela con https. Si no funciona, avisa a quien te envió el enlace.",
  },
  broken: {
    title: "Este enlace está incompleto",
    text: "Copia el enlace completo del mensaje.",
  },
  tooLong: {
    title: "A este enlace le sobran caracteres",
    text: "Cópialo de nuevo sin ellos.",
  },
  noKey: {
    title: "A este enlace le falta la clave",
    text: "Algunas apps cortan lo que va después de #. Pega aquí el enlace completo.",
  },
  encodedKey: {
    title: "Este enlace cambió por el camino",
    text: "Una app cambió # por %23 y la clave llegó al servidor. Por seguridad, pide un enlace nuevo a quien te lo envió. Si aun así quieres seguir, pega aquí el enlace completo.",
  },
  newerLink: {
    title: "Este enlace es de una versión más reciente",
    text: "El servidor de esta página es anterior al enlace. Avisa a quien lo administra.",
  },
  forgotten: {
    title: "Esta pestaña ya no tiene la clave",
    text: "Vuelve a abrir el enlace desde el mensaje.",
  },
  wrongLink: {
    title: "Este enlace no funciona",
    text: "Puede que tenga un error o que ya no exista desde hace tiempo. Cópialo completo otra vez o pide otro a quien te lo envió.",
  },
  paste: {
    label: "Pega aquí el enlace completo",
    button: "Abrir",
    empty: "Primero pega el enlace.",
    noLink: "Esto no es un enlace de handoff. Cópialo de nuevo del mensaje.",
    noKey: "Falta la parte que empieza por #: es la clave.",
    kinds: {
      secret: "Este enlace abre un secreto.",
      request: "Este es un enlace de solicitud: sirve para entregar algo.",
      backup: "Este es un enlace de respaldo: abre lo que se entregó.",
    },
    elsewhere: (host) => `Este enlace lleva a otro servidor, ${host}. Entra solo si lo conoces.`,
    openOn: (host) => `Ir a ${host}`,
  },
  tooMany: {
    title: "Demasiados intentos",
    text: "Este enlace no funciona y desde tu red ha habido demasiados intentos fallidos. Revísalo y vuelve a intentarlo en un minuto.",
  },
  failed: {
    title: "No funcionó",
    bare: "No funcionó.",
    back: "No funcionó, pero el servidor ya responde. Vuelve a intentarlo.",
    network: {
      title: "No se puede acceder al servidor",
      bare: "No se puede acceder al servidor.",
      lede: "Revisa tu conexión y vuelve a intentarlo.",
      text: "No se puede acceder al servidor. Revisa tu conexión y vuelve a intentarlo.",
    },
    busy: {
      title: "El servidor no está disponible",
      bare: "El servidor no está disponible.",
      lede: "Vuelve a intentarlo en un minuto.",
      text: "El servidor no está disponible. Vuelve a intentarlo en un minuto.",
    },
    answered: {
      title: "La respuesta no es del servidor",
      text: "Otro sistema respondió en su lugar. ¿Tu red te pide iniciar sesión, como en un hotel? Compruébalo y vuelve a intentarlo.",
    },
    limited: "Demasiadas acciones en poco tiempo. Vuelve a intentarlo en un minuto.",
    other: "Algo salió mal. Vuelve a intentarlo.",
    refused: "El servidor no lo aceptó. Repetirlo no servirá de nada: avisa a quien lo administra.",
    stale: "No se pudo cargar una parte de esta página. Revisa tu conexión o recarga la página.",
    quota: "No queda suficiente espacio para este equipo en el servidor. Envía algo más pequeño o pide más espacio.",
    again: "Reintentar",
  },
  retrying: {
    limited: "Demasiados intentos desde tu red.",
    again: (reason, seconds) =>
      plural(seconds, {
        one: `${reason} Nuevo intento en 1 segundo…`,
        other: `${reason} Nuevo intento en {n} segundos…`,
      }),
  },
  signedOut: {
    title: "Tu sesión se cerró",
    text: "Tu sesión se cerró. Iníciala de nuevo en otra pestaña y vuelve a intentarlo aquí.",
  },
  otherPerson: (name) => `La sesión es ahora de ${name}. Recarga la página para continuar.`,
  justNow: "hace un momento",
  onDay: (day) => `el ${day}`,
  atTime: (day, time) => `${day} ${atTime(time)}`,
  timeLeft: (duration) => (/^1\b/.test(duration) ? `Queda ${duration}` : `Quedan ${duration}`),
  text: "Texto",
  theText: "El texto",
  size: {
    about: (size) => `Unos ${size}`,
    lessThan: (size) => `Menos de ${size}`,
  },
  person: {
    according: "según este servidor",
  },
  passphrase: {
    label: "Frase secreta",
    show: "Mostrar la frase secreta",
    hide: "Ocultar la frase secreta",
  },
  titles: {
    send: "Enviar un secreto",
    ask: "Pedir un secreto",
  },
});
