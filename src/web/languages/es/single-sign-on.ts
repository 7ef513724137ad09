import type { texts as english } from "../en/single-sign-on.ts";
import type { Translation } from "../translations.ts";

/** What signing in with the account of a company says, in Spanish. */
export const texts: Translation<typeof english> = () => ({
  provider: {
    button: "Usar la cuenta de empresa",
    failed: "No has iniciado sesión",
    canceled: "El acceso se canceló o tu proveedor lo rechazó.",
    refused: "Con esta cuenta no puedes entrar aquí. Pregunta a tu administrador.",
    late: "Pasó demasiado tiempo o ya se usó. Vuelve a entrar.",
    unavailable: "El proveedor de tu cuenta de empresa no está disponible. Vuelve a intentarlo en un minuto.",
  },
});
