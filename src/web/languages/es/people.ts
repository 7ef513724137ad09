import type { texts as english } from "../en/people.ts";
import type { Translation } from "../translations.ts";

/** What the screens say about the people whom a secret or a request is for, in Spanish. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  people: {
    whoOpens: "¿Quién puede abrirlo?",
    whoHandsIn: "¿Quién puede entregar?",
    everyone: "Cualquiera que tenga el enlace",
    hint: "Escribe direcciones de correo, o *@example.com para todo un dominio.",
    worth:
      "El servidor lo comprueba con un código que envía a la dirección. Quien administra el servidor podría saltárselo, así que mantén el enlace en secreto.",
    only: "solo personas elegidas",
    remove: (address) => `Quitar ${address}`,
    wrong: "Esto no es una dirección. Una dirección es como ann@example.com.",
    tooMany: (most) => `Elige ${most} como máximo.`,
    required: "Las reglas de tu equipo piden que digas quién.",
    onlyAt: (domains: string) => `Las reglas de tu equipo solo permiten personas de: ${domains}.`,
    refused: "El servidor no acepta una de estas direcciones. Revísalas.",
    chosen: "Para",
    lede: (times, when) =>
      plural(times, {
        one: `Solo las personas que elegiste pueden abrir el secreto, una vez, hasta ${when}. El enlace no se vuelve a mostrar.`,
        other: `Solo las personas que elegiste pueden abrir el secreto, {n} veces, hasta ${when}. El enlace no se vuelve a mostrar.`,
      }),
    asked: "Lo pediste",
    opened: (address) => `Lo abrió ${address}, dirección comprobada`,
    handedIn: (address) => `Lo entregó ${address}, dirección comprobada`,
    refusedOne: (address) =>
      `Alguien con el enlace dio la dirección ${address} y no demostró tener ninguna de las elegidas`,
    refusedUnnamed: "Alguien con el enlace no demostró tener ninguna de las direcciones elegidas",
  },
});
