import type { texts as english } from "../en/mail.ts";
import type { Translation } from "../translations.ts";

/** What the start page says where people sign in with a code by mail, in Polish. */
export const texts: Translation<typeof english> = () => ({
  mail: {
    address: "Twój adres e-mail",
    send: "Wyślij mi kod",
    sending: "Wysyłanie…",
    noAccount: "Dostaniesz kod e-mailem. Nie masz konta? Zapytaj administratora.",
    empty: "Najpierw wpisz adres.",
    malformed: "Adres wygląda jak ann@example.com.",
    sent: (address) => `Jeśli ${address} jest tu znany, kod jest już w drodze.`,
    hint: "Ma 8 cyfr i działa przez 10 minut, w tej przeglądarce. Nie ma go? Sprawdź folder ze spamem.",
    code: "Kod z wiadomości",
    emptyCode: "Najpierw wpisz kod.",
    malformedCode: "Kod ma 8 cyfr.",
    wrong: "Ten kod nie działa. Użyj kodu z najnowszej wiadomości. Po 5 błędnych potrzebny jest inny.",
    over: "Wygasł, został użyty albo wpisano 5 błędnych kodów. Wyślij inny kod.",
    another: "Wyślij inny kod",
    resent: (address) => `Jeśli ${address} jest tu znany, inny kod jest już w drodze. Działa tylko nowy.`,
    otherAddress: "Inny adres",
    limited: "Poproszono o zbyt wiele kodów. Spróbuj ponownie za kwadrans.",
  },
});
