import type { texts as english } from "../en/single-sign-on.ts";
import type { Translation } from "../translations.ts";

/** What signing in with the account of a company says, in Polish. */
export const texts: Translation<typeof english> = () => ({
  provider: {
    button: "Użyj konta firmowego",
    failed: "Nie zalogowano",
    canceled: "Logowanie zostało anulowane lub dostawca je odrzucił.",
    refused: "Tym kontem nie można się tu zalogować. Zapytaj administratora.",
    late: "Trwało to zbyt długo lub zostało już użyte. Zaloguj się ponownie.",
    unavailable: "Dostawca konta firmowego jest niedostępny. Spróbuj ponownie za minutę.",
  },
});
