import type { texts as english } from "../en/document.ts";

/** What a document says without its script, in Polish. */
export const texts: typeof english = {
  noScript: {
    title: "Ta strona wymaga JavaScriptu",
    text: "Włącz JavaScript, aby odszyfrować dane w przeglądarce, i odśwież stronę. Albo otwórz link w aktualnej wersji Chrome, Edge, Firefox lub Safari.",
  },
  late: {
    title: "Strona jeszcze się nie załadowała",
    text: "Jej część jest jeszcze w drodze lub nie dotarła. Odśwież stronę. Jeśli to nie pomoże, coś może blokować JavaScript: otwórz link w innej przeglądarce.",
  },
  nowhere: {
    title: "Pod tym adresem nic nie ma",
    text: "Może zawierać literówkę lub być ucięty. Skopiuj cały link jeszcze raz.",
    start: "Przejdź do strony głównej",
  },
  mailOff: {
    title: "Wyłączyć te wiadomości?",
    text: "Mówią, co się dzieje z Twoimi przesyłkami i prośbami.",
    button: "Wyłącz",
  },
  mailIsOff: { title: "Te wiadomości są wyłączone", text: "Możesz je znów włączyć na swoim koncie." },
  mailOffStale: {
    title: "Ten link niczego nie wyłącza",
    text: "Jest niepełny albo te wiadomości zostały znów włączone. Użyj linku z najnowszej wiadomości lub wybierz na swoim koncie.",
  },
};
