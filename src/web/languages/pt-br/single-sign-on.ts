import type { texts as english } from "../en/single-sign-on.ts";
import type { Translation } from "../translations.ts";

/** What signing in with the account of a company says, in Brazilian Portuguese. */
export const texts: Translation<typeof english> = () => ({
  provider: {
    button: "Usar a conta da empresa",
    failed: "Você não entrou",
    canceled: "O acesso foi cancelado, ou seu provedor o recusou.",
    refused: "Esta conta não pode entrar aqui. Fale com o seu administrador.",
    late: "Demorou demais ou já foi usado. Entre de novo.",
    unavailable: "O provedor da conta da sua empresa não está disponível. Tente de novo em um minuto.",
  },
});
