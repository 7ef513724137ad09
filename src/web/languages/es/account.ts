import type { texts as english } from "../en/account.ts";
import type { Translation } from "../translations.ts";

/** What a person's account says, in Spanish. */
export const texts: Translation<typeof english> = ({ number }) => ({
  account: {
    browserOn: (browser, system) => `${browser} en ${system}`,
    unknownBrowser: "Navegador desconocido",
    actionOn: (action, name) => `${action}: ${name}`,
    passkeys: {
      title: "Llaves de acceso",
      what: "Con una llave de acceso inicias sesión con tu huella, tu rostro o un PIN, sin enlace.",
      none: "Aún no tienes ninguna llave de acceso.",
      unsupported: "Este navegador no puede usar llaves de acceso.",
      most: (count) => `Tienes ${number(count)} llaves de acceso, el máximo. Quita una antes de añadir otra.`,
      added: (when) => `Se añadió ${when}`,
      used: (when) => `Se usó por última vez ${when}`,
      unused: "Aún no se usó",
      add: "Añadir llave",
      adding: "Añadiendo…",
      isAdded: "La llave de acceso se añadió.",
      remove: "Quitar",
      removing: "Quitando…",
      isRemoved: "La llave de acceso se quitó.",
      sure: {
        title: "¿Quitar esta llave de acceso?",
        text: "Ya no podrás iniciar sesión con ella. Puede que tu dispositivo la conserve hasta que la borres allí.",
        confirm: "Quitar",
      },
      known: "Allí ya tienes una llave de acceso.",
      refused: "El servidor no aceptó la llave de acceso. Vuelve a intentarlo.",
      unusable: "Este navegador no puede añadir aquí una llave de acceso. Prueba con otro navegador.",
      offer: "Para no necesitar un enlace la próxima vez, añade una llave de acceso.",
      later: "Ahora no",
    },
    notices: {
      title: "Correos",
      what: (address) => `Estos correos se envían a ${address}.`,
      opened: "Cuando se abre algo que enviaste",
      ending: "Un día antes de que caduque un envío que nadie ha abierto",
      handedIn: "Cuando alguien entrega algo",
      asked: "Cuando alguien espera tu aprobación",
      isSaved: "Guardado.",
      whereSent: "Enviarme un correo cuando se abra algo que envíe",
      whereAsked: "Enviarme un correo cuando alguien espere mi aprobación",
    },
    sessions: {
      title: "Tus sesiones abiertas",
      here: "Este navegador",
      since: (when) => `Se abrió ${when}`,
      used: (when) => `Se usó por última vez ${when}`,
      signOut: "Cerrar sesión",
      signingOut: "Cerrando…",
      isSignedOut: "Esa sesión se cerró.",
      others: "Cerrar las demás",
      areSignedOut: "Las demás sesiones se cerraron.",
    },
  },
  again: {
    titles: {
      add: "Vuelve a iniciar sesión para añadir una llave de acceso",
      remove: "Vuelve a iniciar sesión para quitar una llave de acceso",
      terminal: "Vuelve a iniciar sesión para autorizar una terminal",
    },
    text: "Iniciaste sesión hace más de 15 minutos. Iniciarla de nuevo muestra que sigues siendo tú.",
    otherwise: "Si nada de esto es posible, pide a tu administrador un enlace de acceso y ábrelo en este navegador.",
    back: "Volver",
  },
});
