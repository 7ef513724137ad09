import type { texts as english } from "../en/login.ts";
import type { Translation } from "../translations.ts";

/** What the screens say on which a person lets a terminal in, in Spanish. */
export const texts: Translation<typeof english> = () => ({
  login: {
    title: "Autorizar una terminal",
    lede: "Escribe el código que «handoff login» muestra en la terminal.",
    code: "Código",
    hint: "Tiene 8 letras. No importan las mayúsculas ni el guion.",
    goOn: "Continuar",
    checking: "Comprobando…",
    empty: "Escribe primero el código.",
    malformed: "Un código tiene 8 letras, como BCDF-GHJK.",
    wrong: "Ninguna terminal espera con este código: tiene un error, ya se usó o tiene más de 10 minutos.",
    signIn: {
      title: "Primero inicia sesión",
      text: "Solo quien ha iniciado sesión puede autorizar una terminal. Inicia sesión en otra pestaña y esta seguirá por sí sola.",
      kept: (code) => `Esta pestaña guarda el código ${code}.`,
      button: "Iniciar sesión",
    },
    terminal: {
      title: "¿Autorizar esta terminal?",
      machine: "Equipo",
      ownWord: "según se llama a sí mismo",
      address: "Dirección",
      unknown: "Se desconoce",
      since: "Inicio",
      actsAs: "Actuará como",
      caution:
        "Continúa solo si acabas de ejecutar «handoff login» en este equipo. Si alguien te envió el código, rechaza: esa persona podría actuar en tu nombre.",
      allow: "Autorizar",
      allowing: "Autorizando…",
      refuse: "Rechazar",
      refusing: "Rechazando…",
    },
    allowed: {
      title: "Terminal autorizada",
      text: "Vuelve a la terminal. Su sesión dura 12 horas como máximo, y solo mientras la tuya siga abierta aquí.",
    },
    refused: { title: "Terminal rechazada", text: "La terminal no se autorizó." },
    gone: {
      title: "Esta terminal ya no espera",
      text: "Ya se autorizó o se rechazó, o el código tiene más de 10 minutos. Mira la terminal. Si no ha iniciado sesión, ejecuta el comando de nuevo.",
    },
    another: "Usar otro código",
  },
});
