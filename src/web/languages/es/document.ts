import type { texts as english } from "../en/document.ts";

/** What a document says without its script, in Spanish. */
export const texts: typeof english = {
  noScript: {
    title: "Esta página necesita JavaScript",
    text: "Activa JavaScript para descifrar en tu navegador y recarga la página. O abre el enlace en una versión actual de Chrome, Edge, Firefox o Safari.",
  },
  late: {
    title: "Esta página aún no se ha cargado",
    text: "Una parte sigue en camino o no ha llegado. Recarga la página. Si no ayuda, puede que algo bloquee su JavaScript: abre el enlace en otro navegador.",
  },
  nowhere: {
    title: "No hay nada en esta dirección",
    text: "Puede que tenga una errata o esté incompleta. Copia otra vez el enlace entero.",
    start: "Ir a la página de inicio",
  },
  mailOff: {
    title: "¿Desactivar estos correos?",
    text: "Te cuentan qué pasa con lo que envías y lo que pides.",
    button: "Desactivar",
  },
  mailIsOff: { title: "Estos correos están desactivados", text: "Puedes volver a activarlos en tu cuenta." },
  mailOffStale: {
    title: "Este enlace no desactiva nada",
    text: "Está incompleto, o estos correos se han vuelto a activar. Usa el enlace del correo más reciente o elige en tu cuenta.",
  },
};
