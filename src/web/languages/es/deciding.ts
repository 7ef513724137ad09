import type { texts as english } from "../en/deciding.ts";
import type { Translation } from "../translations.ts";

/** What is said where the opening of a secret has to be approved, in Spanish. */
export const texts: Translation<typeof english> = ({ number }) => ({
  deciding: {
    title: "¿Autorizar?",
    showAll: (count) => `Mostrar todo (${number(count)})`,
    wants: "Alguien quiere abrir este secreto.",
    secret: (idEnd) => `Secreto ${idEnd}`,
    same: "La otra persona ve las mismas palabras. Pregúntaselas por teléfono.",
    who: "Quién",
    sender: "Remitente",
    proven: (address) => `${address}, dirección comprobada`,
    unproven: "alguien con el enlace, ninguna dirección comprobada",
    teammate: (idEnd) => `alguien de tu equipo, ID ${idEnd}`,
    asked: "Pidió permiso",
    until: "Espera hasta",
    letIn: "Autorizar",
    refuse: "Rechazar",
    refuseLater: "Rechazar después de todo",
    busy: { approved: "Autorizando…", refused: "Rechazando…" },
    outcomes: {
      approved: "Lo autorizaste para abrirlo una vez, durante 10 minutos.",
      refused: "Lo rechazaste. La otra persona puede volver a pedirlo.",
      over: "Demasiado tarde: se acabó el tiempo, el secreto se abrió o se revocó, se volvió a pedir permiso, o decidió otra persona.",
      not_approver: "Tiene que decidirlo otra persona.",
    },
    news: (name, list) => `Alguien quiere abrir «${name}»: ${list}.`,
    approver: { title: "Autorización", sender: "La das tú", team: "La da otra persona de tu equipo" },
    history: {
      asked: (who, list) => `Pidió permiso para abrirlo: ${who} (${list})`,
      letIn: {
        you: (list) => `Lo autorizaste (${list})`,
        other: (list) => `Lo autorizó alguien de tu equipo (${list})`,
      },
      refused: {
        you: (list) => `Lo rechazaste (${list})`,
        other: (list) => `Lo rechazó alguien de tu equipo (${list})`,
      },
    },
  },
});
