import type { texts as english } from "../en/single-sign-on.ts";
import type { Translation } from "../translations.ts";

/** What signing in with the account of a company says, in Dutch. */
export const texts: Translation<typeof english> = () => ({
  provider: {
    button: "Inloggen met bedrijfsaccount",
    failed: "Je bent niet ingelogd",
    canceled: "Het inloggen is geannuleerd, of je provider heeft het geweigerd.",
    refused: "Dit account kan hier niet inloggen. Vraag het je beheerder.",
    late: "Dat duurde te lang, of is al gebruikt. Log opnieuw in.",
    unavailable: "De provider van je bedrijfsaccount is niet beschikbaar. Probeer het over een minuut opnieuw.",
  },
});
