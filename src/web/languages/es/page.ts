import type { texts as english } from "../en/page.ts";
import type { Translation } from "../translations.ts";
import { atTime } from "./times.ts";

/** What every screen may say, in Spanish. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  language: "es",
  direction: "ltr",
  name: "handoff",
  loading: "Un momento…",
  slow: "El servidor aún no ha respondido.",
  noScript: "Activa JavaScript para descifrar en tu navegador.",
  frame: {
    tabs: "Principal",
    send: "Enviar",
    ask: "Solicitar",
    activity: "Actividad",
    toCollect: "por recoger",
    accountOf: (name) => `Cuenta de ${name}`,
    signOut: "Cerrar sesión",
    promise: "Cifrado de extremo a extremo. Este servidor no puede leer lo que compartes.",
    about: "Cómo funciona",
    commandLine: "Línea de comandos",
    api: "API",
    contact: "Ayuda",
    imprint: "Aviso legal",
    privacy: "Privacidad",
    runOn: (host) => `Estás en ${host}. Este servidor no puede leer lo que compartes.`,
    runBy: (name, host) => `A cargo de ${name} en ${host}. Este servidor no puede leer lo que compartes.`,
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
      text: "No lo has copiado ni guardado todo.",
      confirm: "Cerrar",
    },
  },
  copy: "Copiar",
  copied: "Copiado",
  notCopied: "Este navegador no permite que la página copie. El texto está seleccionado: cópialo tú.",
  insecure: {
    title: "Esta página necesita HTTPS",
    text: "La dirección empieza por http, así que alguien podría cambiar esta página por el camino y quedarse con el secreto. Ábrela con https. Si no funciona, avisa a quien te envió el enlace.",
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
    text: "Algunas aplicaciones cortan la parte que va después de #. Pega aquí el enlace completo.",
  },
  encodedKey: {
    title: "Este enlace cambió por el camino",
    text: "Una aplicación convirtió # en %23, así que la clave llegó al servidor. Por seguridad, pide un enlace nuevo a quien te lo envió. Aun así, puedes pegar aquí el enlace completo.",
  },
  newerLink: {
    title: "Este enlace es de una versión más nueva",
    text: "El servidor de esta página es más antiguo que el enlace. Avisa a quien lo administra.",
  },
  forgotten: {
    title: "Esta pestaña ya no tiene la clave",
    text: "Vuelve a abrir el enlace desde el mensaje.",
  },
  wrongLink: {
    title: "Este enlace no funciona",
    text: "Puede que esté mal escrito o que terminara hace mucho. Copia de nuevo el enlace completo o pide otro a quien te lo envió.",
  },
  paste: {
    label: "Pega aquí el enlace completo",
    button: "Abrir",
    empty: "Pega primero el enlace.",
    noLink: "Esto no es un enlace de handoff. Cópialo de nuevo del mensaje.",
    noKey: "Falta la parte que empieza en #. Es la clave.",
    elsewhere: (host) => `Este enlace lleva a otro servidor, ${host}. Entra solo si lo conoces.`,
    openOn: (host) => `Ir a ${host}`,
  },
  tooMany: {
    title: "Demasiados intentos",
    text: "Este enlace no funciona y ya fallaron demasiados desde tu red. Revísalo y vuelve a intentarlo en un minuto.",
  },
  failed: {
    title: "No funcionó",
    bare: "No funcionó.",
    back: "No funcionó, pero el servidor ya responde. Vuelve a intentarlo.",
    network: {
      title: "No se puede conectar con el servidor",
      bare: "No se puede conectar con el servidor.",
      lede: "Revisa tu conexión y vuelve a intentarlo.",
      text: "No se puede conectar con el servidor. Revisa tu conexión y vuelve a intentarlo.",
    },
    busy: {
      title: "El servidor no está disponible",
      bare: "El servidor no está disponible.",
      lede: "Vuelve a intentarlo en un minuto.",
      text: "El servidor no está disponible. Vuelve a intentarlo en un minuto.",
    },
    answered: {
      title: "No respondió el propio servidor",
      text: "Algo entre este dispositivo y el servidor respondió en su lugar. ¿Tu red pide iniciar sesión primero, como en un hotel? Revísala y vuelve a intentarlo.",
    },
    limited: "Demasiadas llamadas. Vuelve a intentarlo en un minuto.",
    other: "Algo salió mal. Vuelve a intentarlo.",
    refused: "El servidor no lo aceptó. Repetirlo no servirá: avisa a quien lo administra.",
    stale: "No se puede cargar una parte de esta página. Revisa tu conexión o recarga la página.",
    quota: "El servidor no tiene más espacio para este equipo. Avisa a quien lo administra o a quien te dio el enlace.",
    unreadable: "No se puede leer un archivo. ¿Sigue ahí? ¿Es un archivo y no una carpeta?",
    again: "Reintentar",
  },
  retrying: {
    limited: "Demasiados intentos desde tu red.",
    again: (reason, seconds) =>
      plural(seconds, {
        one: `${reason} Nuevo intento en 1 segundo…`,
        many: `${reason} Nuevo intento en {n} de segundos…`,
        other: `${reason} Nuevo intento en {n} segundos…`,
      }),
  },
  signedOut: {
    title: "Tu sesión está cerrada",
    text: "Tu sesión está cerrada. Inicia sesión en otra pestaña y vuelve a intentarlo aquí.",
  },
  otherPerson: (name) => `Ahora la sesión es de ${name}. Recarga la página para continuar.`,
  justNow: "hace un momento",
  today: (time) => `hoy ${atTime(time)}`,
  text: "Texto",
  theText: "El texto",
  size: {
    about: (size) => `Unos ${size}`,
    lessThan: (size) => `Menos de ${size}`,
  },
  person: {
    knownAs: (address, team) => `El servidor conoce a esta persona como ${address}, equipo ${team}`,
    known: (team) => `El servidor conoce a esta persona por este nombre, equipo ${team}`,
  },
  passphrase: {
    label: "Frase de contraseña",
    show: "Mostrar la frase de contraseña",
    hide: "Ocultar la frase de contraseña",
  },
  titles: {
    send: "Enviar un secreto",
    ask: "Solicitar un secreto",
  },
});
