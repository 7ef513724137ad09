import type { texts as english } from "../en/proving.ts";
import type { Translation } from "../translations.ts";

/** What the screens of a link that is for chosen people say, in Polish. */
export const texts: Translation<typeof english> = () => ({
  proof: {
    forAddress: (address) => `Tylko dla adresu ${address}.`,
    forDomain: (domain) => `Dla wszystkich z adresem w domenie ${domain}.`,
    forSeveral: "Tylko dla tych adresów:",
    everyoneAt: (domain) => `Wszystkie adresy w domenie ${domain}`,
    hint: "Wpisz swój pełny adres. Dostaniesz kod e-mailem, konto nie jest potrzebne.",
    hintOne: (start, end) =>
      `Wpisz pełny adres: zaczyna się od ${start}, a kończy na ${end}. Dostaniesz kod e-mailem, konto nie jest potrzebne.`,
    sent: (address) => `Jeśli ${address} jest wśród wybranych adresów, wiadomość z kodem jest już w drodze.`,
    resent: (address) =>
      `Jeśli ${address} jest wśród wybranych adresów, wiadomość z innym kodem jest już w drodze. Działa tylko nowy.`,
    continue: "Dalej",
    openAs: (address) => `Otwórz jako ${address}`,
    continueAs: (address) => `Dalej jako ${address}`,
    notFor: (address) =>
      `To konto ma adres ${address}, a ten link nie jest dla niego. Użyj innego adresu albo zapytaj osobę, od której masz link.`,
    ended: "Od potwierdzenia adresu minęło ponad 10 minut. Poproś o inny kod, aby przejść dalej.",
    worth: "Serwer sprawdza Twój adres. Mimo to nie pokazuj nikomu linku.",
    thenApproval: "Potem, zanim otworzysz sekret, ktoś musi jeszcze wyrazić zgodę.",
    noMail: "Ten serwer nie wysyła e-maili. Zaloguj się na nim, a potem otwórz ten link ponownie.",
    signIn: "Zaloguj się",
  },
});
