import type { texts as english } from "../en/landing.ts";
import type { Translation } from "../translations.ts";

/** What the start page says, and what signing in and out says, in Spanish. */
export const texts: Translation<typeof english> = ({ plural }) => ({
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
    manual: "Leer el manual (en inglés)",
  },
});
