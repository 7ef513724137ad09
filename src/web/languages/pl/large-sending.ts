import type { texts as english } from "../en/large-sending.ts";
import type { Translation } from "../translations.ts";

/** What the screens say while a secret is sent in pieces, in Polish. */
export const texts: Translation<typeof english> = () => ({
  largeSending: {
    keepOpen:
      "Każda część jest szyfrowana, zanim opuści przeglądarkę. Nie zamykaj tej karty. Jeśli połączenie zostanie przerwane albo urządzenie zaśnie, wysyłanie będzie kontynuowane od tego miejsca.",
    rate: (size) => `${size}/s`,
    line: {
      title: "Nie można połączyć się z serwerem",
      text: "Wysyłanie ruszy od tego samego miejsca, gdy tylko połączenie wróci. Nie zamykaj tej karty.",
    },
    server: {
      title: "Oczekiwanie na serwer",
      text: "Serwer jest niedostępny. Wysyłanie ruszy od tego samego miejsca, gdy tylko będzie to możliwe. Nie zamykaj tej karty.",
    },
    storage: {
      title: "Oczekiwanie na serwer",
      text: "Serwer nie może teraz niczego zapisać: jego dysk może być pełny. Wysyłanie ruszy od tego samego miejsca, gdy tylko będzie to możliwe. Nie zamykaj tej karty.",
    },
    tryNow: "Spróbuj teraz",
    stopped: "Wysyłanie anulowano, więc nie ma linku. Serwer usunie to, co dotarło, najpóźniej po jednym dniu.",
    ended: "Serwer zakończył wysyłanie, więc nie ma linku. To, co wybrano, nadal tu jest: wyślij to ponownie.",
    stoppedHandIn:
      "Anulowano, więc nic nie zostało przekazane. Serwer usunie to, co dotarło, najpóźniej po jednym dniu.",
    maybeHandedIn: "Anulowano, ale możliwe, że zostało już przekazane. Zapytaj osobę, która o to prosiła.",
    endedHandIn:
      "Serwer zakończył przesyłanie, więc nic nie zostało przekazane. Twój wybór nadal tu jest: przekaż go jeszcze raz.",
  },
});
