import type { texts as english } from "../en/menu.ts";
import type { Translation } from "../translations.ts";

/** What the bar of a signed-in person says, in Brazilian Portuguese. */
export const texts: Translation<typeof english> = () => ({
  menu: {
    tabs: "Principal",
    send: "Enviar",
    ask: "Pedir",
    activity: "Atividade",
    forYou: "a fazer",
    accountOf: (name) => `Conta de ${name}`,
    account: "Sua conta",
    audit: "Registro de auditoria",
    signOut: "Sair",
  },
});
