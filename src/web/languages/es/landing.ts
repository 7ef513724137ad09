import type { texts as english } from "../en/landing.ts";
import type { Translation } from "../translations.ts";

/** What the start page says, and what signing in and out says, in Spanish. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  contact: "¿Necesitas ayuda? Pregunta a",
  signIn: {
    title: "Iniciar sesión",
    lede: "Tu administrador creó este enlace para ti.",
    already:
      "Ya hay una sesión abierta en este navegador. El enlace la cambia por la de la persona para quien se creó. Las claves privadas de las solicitudes quedan en este navegador hasta que se cierre sesión.",
    once: "El enlace funciona una sola vez. Si el dispositivo es compartido, cierra sesión al terminar.",
    button: "Iniciar sesión",
    busy: "Iniciando sesión…",
    stay: "Mantener mi sesión",
    signedIn: "Tu sesión está abierta",
    goOn: "Continuar",
    signedInAs: (name, team) => `Iniciaste sesión como ${name}, ${team}.`,
    until: (when) => `Si no la usas, tu sesión se cerrará ${when}.`,
    notYou: "¿No eres tú? Salir",
    faults: {
      missing: {
        title: "Iniciar sesión",
        text: "Abre completo el enlace de acceso de tu administrador, también la parte que va después de #.",
      },
      cut: {
        title: "Este enlace de acceso está incompleto",
        text: "Copia el enlace completo del mensaje de tu administrador.",
      },
      long: {
        title: "A este enlace de acceso le sobran caracteres",
        text: "Cópialo de nuevo sin ellos.",
      },
      mistyped: {
        title: "Este enlace de acceso tiene un error",
        text: "Cópialo de nuevo del mensaje de tu administrador.",
      },
    },
    needsHttps: {
      title: "Este navegador necesita HTTPS para iniciar sesión",
      text: "La dirección empieza por http. Safari y algunos otros navegadores solo mantienen la sesión con HTTPS. Abre el enlace en Chrome o Firefox, o pide a tu administrador una dirección con HTTPS. El enlace no se ha usado aquí.",
    },
    noCookie: {
      title: "Este navegador no mantiene tu sesión",
      text: "Rechaza la cookie de esta página. Permite las cookies de esta dirección y abre de nuevo tu enlace de acceso. Si ya no funciona, pide otro a tu administrador.",
    },
    refused: {
      title: "Este enlace de acceso no funciona",
      text: "Caducó, ya se usó, se reemplazó o se canceló. Pide otro a tu administrador.",
    },
    passkey: {
      button: "Usar llave de acceso",
      unknown:
        "Esta llave de acceso no funciona aquí. Puede que se haya quitado. Usa otra o pide un enlace de acceso a tu administrador.",
      late: "Pasó demasiado tiempo. Vuelve a intentarlo.",
      unusable:
        "Este navegador no puede usar aquí una llave de acceso. Abre en su lugar un enlace de acceso de tu administrador.",
      noCookie:
        "Este navegador rechaza la cookie de esta página. Permite las cookies de esta dirección y vuelve a intentarlo.",
    },
    keepTab: "Puede que el enlace ya se haya usado; en ese caso, solo funciona en esta pestaña.",
  },
  signOut: {
    stillSignedIn: {
      title: "Tu sesión sigue abierta",
      text: "No se puede acceder al servidor. Revisa tu conexión y vuelve a cerrar sesión.",
    },
    unsavedElsewhere: {
      title: "¿Cerrar sesión?",
      text: "En otra pestaña hay un texto sin enviar o un enlace sin copiar. Se perderá.",
      confirm: "Cerrar sesión",
    },
    losesKeys: (keys, toCollect) => ({
      title: "¿Cerrar sesión?",
      text: [
        plural(keys, {
          one: "Este navegador borrará la clave privada de 1 solicitud. Sin su copia de respaldo, nadie podrá abrir lo que se entregue.",
          other:
            "Este navegador borrará las claves privadas de {n} solicitudes. Sin sus copias de respaldo, nadie podrá abrir lo que se entregue.",
        }),
        toCollect > 0
          ? plural(toCollect, { one: "Hay 1 secreto por recoger.", other: "Hay {n} secretos por recoger." })
          : "",
      ]
        .filter(Boolean)
        .join(" "),
      confirm: "Cerrar sesión",
    }),
    keysLeft: {
      title: "Tu sesión se cerró",
      text: "Este navegador no borró las claves privadas de tus solicitudes. Borra los datos de este sitio en los ajustes del navegador.",
    },
  },
  nothingAllowed: {
    title: "Aún no puedes enviar ni pedir",
    text: "Tu sesión está abierta, pero no tienes permiso para enviar, pedir ni ver la actividad. Pídeselo a tu administrador.",
  },
  landing: {
    title: "Envía secretos de forma segura",
    lede: "Contraseñas, claves y archivos, cifrados en tu navegador. El servidor no puede leerlos.",
    link: "¿Tienes un enlace? Pégalo aquí.",
    hint: "Verás de qué se trata antes de abrirlo.",
    steps: {
      encrypted: {
        title: "Se sella aquí",
        text: "Tu navegador lo cifra. La clave va en el enlace y nunca llega al servidor.",
      },
      kept: {
        title: "Se abre una vez",
        text: "Funciona una sola vez, salvo que quien lo envía permita más. Después, el servidor lo borra.",
      },
      opened: {
        title: "Sabes cuándo se abrió",
        text: "Quien lo envía ve el día y la hora.",
      },
    },
    signIn: "Para enviar algo, abre el enlace de acceso de tu administrador.",
    signInByAdmin: "Para enviar algo necesitas un enlace de acceso. Pídeselo a tu administrador.",
    withoutPasskey: "¿Aún no tienes llave de acceso? Abre el enlace de acceso de tu administrador.",
    withoutPasskeyByAdmin: "¿Aún no tienes llave de acceso? Pide un enlace de acceso a tu administrador.",
    contact: "¿No tienes cuenta o tienes dudas? Pregunta a",
    commandLine: "Línea de comandos y API",
    commandLineText:
      "Con una clave de API de tu administrador, handoff también funciona en la terminal y en programas.",
    docs: "Documentación de la API",
  },
});
