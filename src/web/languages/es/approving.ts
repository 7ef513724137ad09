import type { texts as english } from "../en/approving.ts";
import type { Translation } from "../translations.ts";
import { atTime } from "./times.ts";

/** What the screens say about the approval of an opening, in Spanish. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  approving: {
    wanted: "Alguien tiene que autorizarte antes de que puedas abrirlo.",
    wantedOf: (name) => `${name} tiene que autorizarte antes de que puedas abrirlo.`,
    how: "Recibes tres palabras. Puede que te llamen y te pregunten qué palabras ves.",
    button: "Pedir autorización",
    asking: "Pidiendo…",
    waiting: "Esperando autorización",
    waitingFor: (name) => `Esperando a ${name}`,
    compare: "Quien decide ve las mismas tres palabras. Si te llaman para preguntarlas, léelas.",
    three: "Tres palabras",
    english: "Las palabras están en inglés.",
    goesOn: (time) => `Deja esta página abierta: continúa por sí sola. La espera termina ${atTime(time)}.`,
    triesAgain: "Esta página lo intenta de nuevo por sí sola.",
    letIn: (time) => `Te autorizaron. Ábrelo ya: la autorización termina ${atTime(time)}.`,
    refused: {
      title: "La respuesta es no",
      text: "No has abierto el secreto. Si lo necesitas, habla con quien lo envió y vuelve a pedir autorización.",
    },
    over: "Tu petición ya no vale. Hay una hora para decidir y, con la autorización, 10 minutos para abrirlo. Vuelve a pedirla si aún necesitas el secreto.",
    again: "Pedir de nuevo",
    tooMany: "Ya hay demasiadas personas esperando autorización. Habla con quien lo envió o inténtalo más tarde.",
    elsewhere:
      "No se abrió en esta pestaña. Se autorizó a otra persona, o a ti en otro navegador. Si aún lo necesitas, habla con quien lo envió.",
  },
  approval: {
    who: "¿Quién tiene que autorizarlo?",
    choices: { nobody: "Nadie", sender: "Preguntarme antes", team: "Otra persona del equipo" },
    meanings: {
      sender: "Cada vez que alguien quiera abrirlo, Actividad te pregunta si lo autorizas.",
      team: "Cada vez que alguien quiera abrirlo, Actividad pregunta a las demás personas de tu equipo si lo autorizan. Tú no puedes.",
    },
    worth: "De eso se encarga el servidor. Quien lo administra podría saltárselo, así que mantén el enlace en secreto.",
    required: "Las reglas de tu equipo lo piden.",
    inBrief: { sender: "preguntarme antes", team: "autoriza otra persona" },
    lede: (times, when) =>
      plural(times, {
        one: `Quien lo tenga puede pedir abrir el secreto, que se abre una vez, hasta ${when}. El enlace no se vuelve a mostrar.`,
        other: `Quien lo tenga puede pedir abrir el secreto, que se abre {n} veces, hasta ${when}. El enlace no se vuelve a mostrar.`,
      }),
    message: {
      sender: "Para abrirlo, hace falta mi autorización. Verás tres palabras: puede que te llame para preguntártelas.",
      team: "Para abrirlo, hace falta la autorización de otra persona de mi equipo. Verás tres palabras: puede que te llame para preguntártelas.",
    },
    decides: {
      sender:
        "Tú decides quién lo abre. Cuando alguien lo pide, aparece en Actividad con tres palabras que esa persona también ve. ¿No sabes quién es? Llama y pregunta por las palabras.",
      team: "Otra persona de tu equipo decide quién lo abre. Cuando alguien lo pide, aparece en su Actividad, no en la tuya.",
    },
  },
});
