import type { Grammar } from "./grammar.ts";
import type { Strings } from "./translations.ts";

/** A time after a verb or "hasta": a date takes the article, "hoy" and "hace 5 minutos" do not. */
const dated = (when: string) => (/^(\d|lun|mar|mié|jue|vie|sáb|dom)/.test(when) ? `el ${when}` : when);

/** A time of day with its preposition, which is singular at one o'clock. */
const atTime = (time: string) => (/^0?1\D/.test(time) ? `a la ${time}` : `a las ${time}`);

/** Everything that the page says, in Spanish. */
export const es = ({ plural, parts, number }: Grammar): Strings => ({
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
  revoking: "Revocando…",
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
  wrongCount: (most) => (most === 1 ? "Solo puede ser 1." : `Escribe un número entero del 1 al ${most}.`),
  otherPerson: (name) => `Ahora la sesión es de ${name}. Recarga la página para continuar.`,
  open: {
    title: "Alguien te envió un secreto",
    titleBySender: "Te enviaron un secreto",
    knownAs: (address, team) => `El servidor conoce a esta persona como ${address}, equipo ${team}`,
    known: (team) => `El servidor conoce a esta persona por este nombre, equipo ${team}`,
    text: "Texto",
    files: (count) => plural(count, { one: "1 archivo", many: "{n} de archivos", other: "{n} archivos" }),
    both: (count) =>
      plural(count, { one: "Texto y 1 archivo", many: "Texto y {n} de archivos", other: "Texto y {n} archivos" }),
    about: (size) => `Unos ${size}`,
    lessThan: (size) => `Menos de ${size}`,
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
    passphrase: "Frase de contraseña",
    showPassphrase: "Mostrar la frase de contraseña",
    hidePassphrase: "Ocultar la frase de contraseña",
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
    theText: "El texto",
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
    eraseFirst: {
      title: "¿Borrar sin guardar el secreto?",
      text: "No lo has copiado ni guardado todo. No se puede volver a mostrar.",
      confirm: "Borrar",
    },
    eraseHereFirst: {
      title: "¿Borrar sin guardar el secreto?",
      text: "No lo has copiado ni guardado todo. Puede que no logres abrirlo otra vez.",
      confirm: "Borrar",
    },
    eraseOneOfSeveralFirst: (left) => ({
      title: "¿Borrar sin guardar el secreto?",
      text: plural(left, {
        one: "No lo has copiado ni guardado todo. El enlace se puede abrir 1 vez más.",
        other: "No lo has copiado ni guardado todo. El enlace se puede abrir {n} veces más.",
      }),
      confirm: "Borrar",
    }),
    notErased: "No se pudo pedir al servidor que lo borre. Vuelve a intentarlo o deja que se acabe el tiempo.",
    erased: {
      title: "Borrado",
      text: "El secreto ya no está en el servidor ni en esta página. Puedes cerrarla.",
    },
    erasedFromPage: {
      title: "Borrado aquí",
      text: "El secreto ya no está en esta página. Puedes cerrarla.",
    },
    erasedHere: (left) => ({
      title: "Borrado aquí",
      text: plural(left, {
        one: "El secreto ya no está en esta página. El enlace se puede abrir 1 vez más.",
        many: "El secreto ya no está en esta página. El enlace se puede abrir {n} de veces más.",
        other: "El secreto ya no está en esta página. El enlace se puede abrir {n} veces más.",
      }),
    }),
  },
  ended: {
    claimed: (when) => ({
      title: "Este secreto ya se abrió",
      text: `Se abrió ${dated(when)}.`,
      warning: "Si no fuiste tú, avisa a quien te lo envió: puede que lo tenga otra persona.",
    }),
    claimedTimes: (times, when) => ({
      title: "Este secreto ya se abrió",
      text: plural(times, {
        one: `Se abrió ${dated(when)}.`,
        many: `Se abrió {n} de veces, la última ${dated(when)}.`,
        other: `Se abrió {n} veces, la última ${dated(when)}.`,
      }),
      warning: "Si no te consta, avisa a quien te lo envió: puede que lo tenga otra persona.",
    }),
    claimLost: (when, asked) => ({
      title: "Este secreto ya se abrió",
      text: `Se abrió ${dated(when)}. Esta pestaña lo pidió ${dated(asked)} y la respuesta nunca llegó. Pide que te lo envíen de nuevo.`,
      warning: "Si las horas no coinciden, puede que lo tenga otra persona.",
    }),
    openedElsewhere: (time) => ({
      title: "Abriste este secreto",
      text: `Lo abriste aquí ${atTime(time)}, en otra pestaña.`,
    }),
    askedElsewhere: {
      title: "Estás abriendo este secreto",
      text: "Otra pestaña lo ha pedido y de momento no ha recibido respuesta.",
    },
    again: (left) => `Te quedan ${left} para volver a mostrarlo.`,
    openedHere: (when) => ({
      title: "Abriste este secreto",
      text: `Lo abriste ${dated(when)}. Si lo necesitas otra vez, pídelo a quien te lo envió.`,
    }),
    openedOneOfSeveral: (when, left) => ({
      title: "Abriste este secreto",
      text: plural(left, {
        one: `Lo abriste ${dated(when)}. La última vez que lo tuviste aquí, el enlace se podía abrir 1 vez más. Ábrelo de nuevo desde el mensaje.`,
        other: `Lo abriste ${dated(when)}. La última vez que lo tuviste aquí, el enlace se podía abrir {n} veces más. Ábrelo de nuevo desde el mensaje.`,
      }),
    }),
    expired: (when) => ({
      title: "Este secreto caducó",
      text: `Caducó ${dated(when)}. Pide un enlace nuevo a quien te lo envió.`,
    }),
    neverOpened: (when) => ({
      title: "Este secreto caducó",
      text: `Caducó ${dated(when)} y nunca se abrió. Pide un enlace nuevo a quien te lo envió.`,
    }),
    revoked: (when) => ({
      title: "Este secreto se revocó",
      text: `Se revocó ${dated(when)}. Si lo necesitas, pídelo a quien te lo envió.`,
    }),
  },
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
  contact: "¿Necesitas ayuda? Pregunta a",
  signIn: {
    title: "Iniciar sesión",
    lede: "Tu administrador creó este enlace para ti.",
    already:
      "Ya tienes una sesión en este navegador. El enlace la cambia por la sesión de la persona para quien se creó.",
    once: "Este enlace funciona una vez",
    lasts: "Después, la sesión sigue abierta en este navegador por un tiempo limitado.",
    own: "Solo en un dispositivo tuyo",
    shared: "Si el dispositivo es compartido, cierra la sesión al terminar.",
    asWhom: "Después verás de quién es la sesión.",
    button: "Iniciar sesión",
    busy: "Iniciando sesión…",
    stay: "Mantener mi sesión",
    signedIn: "Has iniciado sesión",
    goOn: "Continuar",
    signedInAs: (name, team) => `Has iniciado sesión como ${name}, ${team}.`,
    until: (when) => `Tu sesión termina ${when}.`,
    notYou: "¿No eres tú? Salir",
    faults: {
      missing: {
        title: "Iniciar sesión",
        text: "Abre completo el enlace de inicio de sesión de tu administrador, también la parte que va después de #.",
      },
      cut: {
        title: "Este enlace de inicio de sesión está incompleto",
        text: "Copia el enlace completo del mensaje de tu administrador.",
      },
      long: {
        title: "A este enlace de inicio de sesión le sobran caracteres",
        text: "Cópialo de nuevo sin ellos.",
      },
      mistyped: {
        title: "Este enlace de inicio de sesión está mal escrito",
        text: "Cópialo de nuevo del mensaje de tu administrador.",
      },
    },
    needsHttps: {
      title: "Este navegador necesita HTTPS para iniciar sesión",
      text: "La dirección empieza por http. Safari y algunos otros navegadores solo mantienen la sesión con HTTPS. Abre el enlace en Chrome o Firefox, o pide una dirección con HTTPS a tu administrador. El enlace no se ha usado aquí.",
    },
    noCookie: {
      title: "Este navegador no mantiene tu sesión",
      text: "Rechaza la cookie de esta página. Permite las cookies de esta dirección y abre de nuevo tu enlace de inicio de sesión. Si ya no funciona, pide otro a tu administrador.",
    },
    refused: {
      title: "Este enlace de inicio de sesión no funciona",
      text: "Caducó, ya se usó, se reemplazó o se canceló. Pide otro a tu administrador.",
    },
    keepTab: "Puede que el enlace ya se haya usado; en ese caso, solo funciona en esta pestaña.",
  },
  signOut: {
    stillSignedIn: {
      title: "Tu sesión sigue abierta",
      text: "No se puede conectar con el servidor. Revisa tu conexión y vuelve a cerrar la sesión.",
    },
    unsavedElsewhere: {
      title: "¿Cerrar sesión?",
      text: "Otra pestaña tiene un texto sin enviar o un enlace sin copiar. Se perderá.",
      confirm: "Cerrar sesión",
    },
    losesKeys: (keys, toCollect) => ({
      title: "¿Cerrar sesión?",
      text: [
        plural(keys, {
          one: "Este navegador borrará la clave privada de 1 solicitud. Sin su respaldo, nadie podrá abrir lo que se entregue.",
          many: "Este navegador borrará las claves privadas de {n} de solicitudes. Sin sus respaldos, nadie podrá abrir lo que se entregue.",
          other:
            "Este navegador borrará las claves privadas de {n} solicitudes. Sin sus respaldos, nadie podrá abrir lo que se entregue.",
        }),
        toCollect > 0
          ? plural(toCollect, {
              one: "1 secreto está por recoger.",
              many: "{n} de secretos están por recoger.",
              other: "{n} secretos están por recoger.",
            })
          : "",
      ]
        .filter(Boolean)
        .join(" "),
      confirm: "Cerrar sesión",
    }),
    keysLeft: {
      title: "Tu sesión está cerrada",
      text: "Este navegador no borró las claves privadas de tus solicitudes. Borra los datos de este sitio en los ajustes del navegador.",
    },
  },
  send: {
    title: "Enviar un secreto",
    lede: "Se cifra aquí, en tu navegador. Recibes un enlace para compartir.",
    policy: {
      plain: (lifetime, times) =>
        plural(times, {
          one: `${lifetime}, se abre una vez, sin frase de contraseña`,
          many: `${lifetime}, se abre {n} de veces, sin frase de contraseña`,
          other: `${lifetime}, se abre {n} veces, sin frase de contraseña`,
        }),
      withPassphrase: (lifetime, times) =>
        plural(times, {
          one: `${lifetime}, se abre una vez, con frase de contraseña`,
          many: `${lifetime}, se abre {n} de veces, con frase de contraseña`,
          other: `${lifetime}, se abre {n} veces, con frase de contraseña`,
        }),
    },
    claims: "Veces que se puede abrir",
    passphrase: "Frase de contraseña (opcional)",
    passphraseHint: "El destinatario también la necesita. Dísela por teléfono o en otra aplicación.",
    trimmed: "Los espacios al principio y al final no cuentan.",
    blankPassphrase: "Solo hay espacios. Déjala vacía o escribe una frase de contraseña.",
    suggest: "Sugerir una",
    strength: (bits) => `Palabras elegidas al azar, con ${bits} bits de aleatoriedad.`,
    guessable:
      "Quien consiga el enlace podría adivinar una frase tan corta o sencilla. Varias palabras al azar son más seguras, como las de «Sugerir una».",
    makePassword: "Crear contraseña",
    passwordMade: (bits) => `Se añadió una aleatoria, de ${bits} bits`,
    label: "Nombre en tu lista (opcional)",
    labelHint: "Solo lo tiene este navegador, hasta que cierres la sesión.",
    showName: (name) => `Decir al destinatario que es de ${name}`,
    showNameHint: "Si no, no verá quién lo envió.",
    canceled: {
      revoked: "Cancelaste. Ya había llegado al servidor, así que se revocó: nadie puede abrirlo.",
      absent: "Cancelaste. El servidor no guardó nada.",
      unknown:
        "Cancelaste. Puede que llegara al servidor: si está en espera en Actividad, revócalo allí. Nadie tiene el enlace, así que nadie puede abrirlo.",
    },
    button: "Crear enlace",
  },
  ticket: {
    label: "Ticket (opcional)",
    hint: (example) => `Por ejemplo, ${example}. El servidor lo guarda sin cifrar y tu equipo puede verlo.`,
    wrong: (example) => `Escribe un ticket como ${example} o deja el campo vacío.`,
    name: (ticket) => `Ticket ${ticket}`,
    text: "Tu equipo puede verlo. Quien solo tiene el enlace no lo ve.",
    only: (ticket) => `Mostrar solo ${ticket}`,
    none: (ticket) => `Aquí no hay nada sobre ${ticket}.`,
  },
  terms: {
    change: "Cambiar",
    unclear: "Revisa las opciones",
    lifetime: "Caduca en",
    other: "Otro…",
    unit: "Unidad",
    once: "Una vez",
    times: (count) => plural(count, { one: "{n} vez", many: "{n} de veces", other: "{n} veces" }),
    wrongLifetime: (least, most) => `Indica un tiempo de ${least} a ${most}.`,
  },
  link: {
    copy: "Copiar enlace",
    code: "Código QR",
    hideCode: "Ocultar código",
    codeOf: "Código QR del enlace",
    scan: "Escanéalo para abrir",
    share: "Compartir",
    shareFirst: "Compartir enlace…",
  },
  sent: {
    title: "Tu enlace está listo",
    lede: "Envíalo a la persona a quien va dirigido. El enlace no se vuelve a mostrar.",
    ledeWithPassphrase: "Comparte dos cosas por dos vías distintas. El enlace no se vuelve a mostrar.",
    steps: { link: "Envía el enlace", passphrase: "Di la frase de contraseña" },
    passphraseText: "Dila por teléfono o usa otra aplicación. Nunca la pongas en el mismo mensaje que el enlace.",
    hidden: "oculta",
    copyPassphrase: "Copiar la frase de contraseña",
    copiedPassphrase: "Frase de contraseña copiada",
    link: "El enlace",
    codeHint: "Es el mismo enlace: quien escanee el código lo tiene.",
    opens: (times) =>
      plural(times, { one: "Se abre una vez", many: "Se abre {n} de veces", other: "Se abre {n} veces" }),
    anyone: (times) =>
      times === 1
        ? "Cualquiera que tenga el enlace puede abrirlo. Después se borra."
        : "Cualquiera que tenga el enlace puede abrirlo. Después de la última vez se borra.",
    withPassphrase: "Nadie puede abrirlo sin la frase de contraseña. El servidor no la conoce.",
    expires: (when) => `Caduca ${dated(when)}`,
    message: "Mensaje para acompañarlo",
    showMessage: "Mostrar",
    copyMessage: "Copiar mensaje",
    messageText: (link, times, when) =>
      plural(times, {
        one: `Aquí tienes un secreto. Se abre una vez, hasta ${dated(when)}:\n${link}`,
        many: `Aquí tienes un secreto. Se abre {n} de veces, hasta ${dated(when)}:\n${link}`,
        other: `Aquí tienes un secreto. Se abre {n} veces, hasta ${dated(when)}:\n${link}`,
      }),
    messageWithPassphrase: (link, times, when) =>
      plural(times, {
        one: `Aquí tienes un secreto. Se abre una vez, hasta ${dated(when)}:\n${link}\nTambién necesitas una frase de contraseña. Te la diré por otra vía.`,
        many: `Aquí tienes un secreto. Se abre {n} de veces, hasta ${dated(when)}:\n${link}\nTambién necesitas una frase de contraseña. Te la diré por otra vía.`,
        other: `Aquí tienes un secreto. Se abre {n} veces, hasta ${dated(when)}:\n${link}\nTambién necesitas una frase de contraseña. Te la diré por otra vía.`,
      }),
    live: "Qué pasa con él",
    activity: "Todo lo que enviaste",
    more: "Enviar otro",
    revoke: "Revocar",
    claimedTitle: "Tu secreto se abrió",
    claimedText: (when) => `Se abrió ${dated(when)}. El enlace ya no funciona.`,
    expiredTitle: "Tu secreto caducó",
    expiredText: (when) => `Caducó ${dated(when)}. El enlace ya no funciona.`,
    revokedTitle: "Tu secreto se revocó",
    revokedText: "El enlace ya no funciona.",
  },
  ask: {
    title: "Solicitar un secreto",
    lede: "Recibes un enlace para enviar. Para entregar no hace falta una cuenta y solo tú puedes abrir lo que llegue.",
    note: "¿Qué necesitas? (opcional)",
    placeholder: "Por ejemplo: la contraseña de la base de datos de pruebas, usuario «app»",
    noteHint: "Cualquiera que tenga el enlace puede leer esto. El servidor no.",
    policy: (lifetime, count) =>
      plural(count, {
        one: `${lifetime}, acepta 1 secreto`,
        many: `${lifetime}, acepta {n} de secretos`,
        other: `${lifetime}, acepta {n} secretos`,
      }),
    count: "Secretos que se pueden entregar",
    showName: (name) => `Mostrar que lo solicita ${name}`,
    showNameHint: "Si no, la persona que tenga el enlace no verá quién lo solicita.",
    button: "Crear enlace",
    busy: "Creando el enlace…",
  },
  asked: {
    title: "Tu enlace de solicitud está listo",
    lede: "Envíalo a la persona que tiene el secreto.",
    link: "El enlace de solicitud",
    copy: "Copiar enlace",
    codeHint: "Es el mismo enlace: quien escanee el código puede entregar algo.",
    accepts: (most, when) =>
      plural(most, {
        one: `Acepta 1 secreto hasta ${dated(when)}.`,
        many: `Acepta {n} de secretos hasta ${dated(when)}.`,
        other: `Acepta {n} secretos hasta ${dated(when)}.`,
      }),
    kept: "Solo este navegador puede abrir lo que se entregue",
    keptText: "La clave privada se guarda aquí hasta que cierres la sesión. La solicitud está en Actividad.",
    notKept: "Este navegador no puede guardar la clave privada",
    notKeptText: "Guarda el respaldo de abajo o nadie podrá abrir lo que se entregue.",
    fulfilledTitle: "Se entregó todo",
    fulfilledText: (when) => `Se entregó ${dated(when)}. El enlace no acepta nada más.`,
    expiredTitle: "Tu solicitud caducó",
    expiredText: (when) => `Caducó ${dated(when)}. El enlace no acepta nada más.`,
    revokedTitle: "Tu solicitud se revocó",
    revokedText: (when) => `Se revocó ${dated(when)}. El enlace no acepta nada más.`,
    backup: {
      title: "Guarda un respaldo de la clave para ti",
      kept: "Para otro navegador o por si se borran los datos de este. No es para enviar.",
      notKept: "Guárdalo antes de cerrar esta página. No es para enviar.",
      text: "El archivo abre lo que se entregue, en cualquier navegador en el que inicies sesión. Guárdalo en un lugar seguro.",
      warning: "Nunca se lo envíes a nadie: contiene la clave privada.",
      save: "Guardar archivo",
      file: (link) =>
        `Esta es la clave privada de una solicitud que hiciste con handoff.\nPara abrir lo que se entregó, abre este enlace en un navegador en el que hayas iniciado sesión.\nNunca se lo envíes a nadie.\n\n${link}\n`,
      show: "Mostrar como texto",
      sure: "El enlace de respaldo contiene la clave privada. Asegúrate de que nadie más vea tu pantalla y nunca lo envíes.",
      showNow: "Mostrar enlace",
      link: "El enlace de respaldo",
    },
    more: "Solicitar otro",
    live: "Qué pasa con ella",
    all: "Todo lo que solicitaste",
  },
  collect: {
    title: "Tu solicitud",
    nothingYet: "Todavía no se entregó nada. Esta página se actualiza sola.",
    handedInOf: (count, most) => `Entregados: ${number(count)} de ${number(most)}.`,
    until: (when) => `Abierta hasta ${dated(when)}.`,
    paused: "En pausa: no se puede entregar nada.",
    nothing: "No se entregó nada.",
    keyDeleted: "La clave privada se borró.",
    secret: (position) => `Secreto ${number(position)}`,
    handedIn: (when) => `Entregado ${dated(when)}`,
    open: "Abrir",
    actionOn: (action, name, idEnd) => `${action}: ${name} ${idEnd}`,
    showAgain: (left) => `Mostrar de nuevo (${left})`,
    cost: "Cada secreto se abre una vez. Ten preparado un lugar seguro: se borra del servidor poco después de abrirlo.",
    states: {
      available: "En espera",
      claimed: "Se abrió",
      expired: "Caducó",
      revoked: "Se revocó",
      lost: "No recibido",
    },
    expires: (when) => `Caduca ${dated(when)}`,
    byOthers: "Lo abrió alguien de tu equipo, o tú en otro lugar",
    neverOpened: "Nunca se abrió",
    taken: "Lo abrió alguien de tu equipo, o tú en otro lugar.",
    expired: "Caducó y nunca se abrió. Pide que lo entreguen de nuevo.",
    revoked: "Se revocó y no se puede abrir. Pide que lo entreguen de nuevo.",
    maybe: (until) =>
      `Puede que el servidor ya lo haya dado, pero aquí no llegó respuesta. Vuelve a intentarlo enseguida en este navegador, en principio hasta ${dated(until)}.`,
    lost: "Nunca llegó aquí. Pide que lo entreguen de nuevo.",
    openedHere: "Lo abriste en este navegador.",
    undecryptable:
      "No se puede descifrar con la clave de este navegador: está dañado o se cifró para otra persona. Pide que lo entreguen de nuevo.",
    back: "Volver a la solicitud",
    all: "Todas las solicitudes",
    signIn: {
      title: "Primero inicia sesión",
      text: "Solo quien ha iniciado sesión puede abrir lo que se entregó. Inicia sesión en otra pestaña y vuelve a intentarlo aquí.",
    },
    noKey: {
      title: "La clave no está en este navegador",
      text: "Abre esta solicitud en el navegador con el que la hiciste o usa el enlace de respaldo que guardaste allí.",
    },
    wrongKey: {
      title: "Este enlace no corresponde a la solicitud",
      text: "Su clave privada es de otra solicitud. Copia de nuevo el enlace de respaldo completo.",
    },
    unknown: {
      title: "No existe esa solicitud",
      text: "Es de otro equipo o terminó hace mucho.",
    },
  },
  activity: {
    summary: (toCollect, waiting) =>
      parts(", ", [toCollect, { other: "{n} por recoger" }], [waiting, { other: "{n} en espera" }]),
    filter: "Mostrar",
    filters: { all: "Todo", sent: "Enviado", asked: "Solicitado" },
    groups: { collect: "Por recoger", waiting: "En espera", done: "Terminado" },
    secret: "Secreto",
    request: "Solicitud",
    sent: (when) => `Enviado ${dated(when)}`,
    asked: (when) => `Solicitado ${dated(when)}`,
    expires: (when) => `Caduca ${dated(when)}`,
    neverOpened: (when) => `${when}, nunca se abrió`,
    states: {
      waiting: "En espera",
      opened: "Se abrió",
      openedSome: (opens, most) => `Se abrió ${number(opens)} de ${number(most)} veces`,
      expired: "Caducó",
      revoked: "Se revocó",
      toCollect: (count) => plural(count, { other: "{n} por recoger" }),
      noKey: (count) => plural(count, { other: "{n} en espera, pero la clave no está en este navegador" }),
      nothingYet: "Nada todavía",
      paused: "En pausa",
      handedIn: (count, most) => `Entregados: ${number(count)} de ${number(most)}`,
      partlyOpened: (opened, expired, revoked) =>
        parts(
          ", ",
          [opened, { one: "{n} abierto", other: "{n} abiertos" }],
          [expired, { one: "{n} caducado", other: "{n} caducados" }],
          [revoked, { one: "{n} revocado", other: "{n} revocados" }],
        ),
    },
    news: (name, idEnd, state) => `${name} ${idEnd}: ${state}.`,
    more: (name, idEnd) => `Más sobre ${name} ${idEnd}`,
    details: "Detalles",
    revoke: "Revocar",
    collect: "Recoger",
    collectThis: (name) => `Recoger: ${name}`,
    handedIn: "Lo que se entregó",
    sureSent: { title: "¿Revocar este secreto?", text: "Después no se podrá abrir.", confirm: "Revocar" },
    sureAsked: {
      title: "¿Revocar esta solicitud?",
      text: "Después no se podrá entregar nada.",
      textWaiting: "Después no se podrá entregar nada más. Aún podrás abrir lo que ya se entregó.",
      confirm: "Revocar",
    },
    noneSent: "Todavía no has enviado nada.",
    noneAsked: "Todavía no has solicitado nada.",
    showMore: "Mostrar más",
    notify: "Avisarme cuando se abra o se entregue algo",
    notifying: "Este navegador te avisa mientras esta página esté abierta en una pestaña.",
    notNotifying: "Este navegador no lo permite. Puedes cambiarlo en sus ajustes para este sitio.",
    signedOut: "Tu sesión está cerrada. Esta lista ya no se actualiza.",
    stale: "Puede que lo que ves no esté actualizado.",
    empty: {
      title: "Aquí no hay nada todavía",
      text: "Aquí aparece lo que envías o solicitas, y ves cuándo se abre.",
      send: "Enviar un secreto",
      ask: "Solicitar uno",
    },
    facts: {
      state: "Estado",
      sent: "Enviado",
      asked: "Solicitado",
      expires: "Caduca",
      ended: "Terminó",
      opened: "Aperturas",
      handedIn: "Entregas",
      times: (count, most) => `${number(count)} de ${number(most)}`,
      size: "Tamaño",
      ticket: "Ticket",
      id: "ID",
      history: {
        title: "Historial",
        byLink: "Se abrió con el enlace",
        byKey: "Se abrió con una clave de API",
        byPerson: "Lo abrió alguien con la sesión iniciada",
      },
      close: "Cerrar",
    },
  },
  landing: {
    title: "Envía secretos con seguridad",
    lede: "Contraseñas, claves y archivos, cifrados en tu navegador. El servidor no puede leerlos.",
    link: "¿Tienes un enlace?",
    placeholder: "Pégalo aquí",
    hint: "Al pegarlo todavía no se abre nada. Lo decides en la pantalla siguiente.",
    steps: {
      encrypted: {
        title: "Se cifra en tu dispositivo",
        text: "La clave viaja dentro del enlace. El servidor nunca la tiene.",
      },
      kept: {
        title: "Se guarda hasta que se abre",
        text: "Se abre las veces que eligió quien lo envió, una por omisión, hasta que caduca.",
      },
      opened: {
        title: "Se entrega y se borra",
        text: "Quien lo envió ve cuándo se abrió.",
      },
    },
    send: "¿Quieres enviar algo?",
    signIn: "Abre el enlace de inicio de sesión de tu administrador.",
    signInByAdmin: "Abre el enlace de inicio de sesión de tu administrador. ¿No tienes cuenta? Pídesela.",
    contact: "¿No tienes cuenta o tienes una pregunta? Escribe a",
    commandLine: "Línea de comandos y API",
    commandLineText:
      "Con una clave de API de tu administrador, handoff también funciona en una terminal y en programas.",
    docs: "Documentación de la API",
  },
  justNow: "hace un momento",
  today: (time) => `hoy ${atTime(time)}`,
});
