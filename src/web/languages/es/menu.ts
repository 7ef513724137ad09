import type { texts as english } from "../en/menu.ts";
import type { Translation } from "../translations.ts";

/** What the bar of a signed-in person says, in Spanish. */
export const texts: Translation<typeof english> = () => ({
  menu: {
    tabs: "Principal",
    send: "Enviar",
    ask: "Pedir",
    activity: "Actividad",
    forYou: "por hacer",
    accountOf: (name) => `Cuenta de ${name}`,
    account: "Tu cuenta",
    audit: "Registro de auditoría",
    signOut: "Cerrar sesión",
  },
});
