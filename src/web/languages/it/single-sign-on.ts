import type { texts as english } from "../en/single-sign-on.ts";
import type { Translation } from "../translations.ts";

/** What signing in with the account of a company says, in Italian. */
export const texts: Translation<typeof english> = () => ({
  provider: {
    button: "Accedi con l'account aziendale",
    failed: "Accesso non effettuato",
    canceled: "L'accesso è stato annullato o il provider lo ha rifiutato.",
    refused: "Questo account non può accedere qui. Chiedi all'amministratore.",
    late: "È passato troppo tempo o è già stato usato. Accedi di nuovo.",
    unavailable: "Il provider del tuo account aziendale non è disponibile. Riprova tra un minuto.",
  },
});
