import type { texts as english } from "../en/single-sign-on.ts";
import type { Translation } from "../translations.ts";

/** What signing in with the account of a company says, in French. */
export const texts: Translation<typeof english> = () => ({
  provider: {
    button: "Utiliser votre compte d’entreprise",
    failed: "Vous n’êtes pas connecté",
    canceled: "La connexion a été annulée, ou votre fournisseur l’a refusée.",
    refused: "Ce compte ne permet pas de se connecter ici. Adressez-vous à votre administrateur.",
    late: "Le délai a expiré, ou cette connexion a déjà servi. Connectez-vous de nouveau.",
    unavailable: "Le fournisseur de votre compte d’entreprise est indisponible. Réessayez dans une minute.",
  },
});
