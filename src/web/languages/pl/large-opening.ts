import type { texts as english } from "../en/large-opening.ts";
import type { Translation } from "../translations.ts";

/** What the screens of a large secret that is opened say, in Polish. */
export const texts: Translation<typeof english> = () => ({
  largeOpening: {
    noRoom: (size) =>
      `Ta przeglądarka nie ma miejsca na ${size}. Zwolnij miejsce i odśwież tę stronę albo otwórz link poleceniem „handoff open”. Sekret nie został tu jeszcze otwarty.`,
    noRoomToCollect: (size) =>
      `Ta przeglądarka nie ma miejsca na ${size}. Zwolnij miejsce i spróbuj ponownie albo otwórz to w wierszu poleceń: wpisz „handoff collect -” i wklej link zapasowy tej prośby.`,
    unable:
      "Ta przeglądarka nie może zapisać tak dużego sekretu. W oknach prywatnych często nie jest to możliwe. Skopiuj link stamtąd, skąd go masz, i otwórz go w innej przeglądarce albo poleceniem „handoff open”. Sekret nie został tu jeszcze otwarty.",
    locked:
      "Serwer udostępnił sekret tej karcie. Wciąż chroni go fraza dostępu. Nie zamykaj tej karty, dopóki go nie otworzysz.",
    progressLabel: "Otwieranie",
    progress: (done, total) => `${done} z ${total}`,
    rate: (size) => `${size}/s`,
    left: (time) => `jeszcze ${time}`,
    keepOpen: "Nie zamykaj tej karty, dopóki nie dotrze całość.",
    stop: "Zatrzymaj",
    stopped: "Zatrzymano. To, co dotarło, zostało usunięte.",
    unwritable: "Ta przeglądarka nie może zapisać sekretu: być może dysk jest pełny. To, co dotarło, zostało usunięte.",
    again: (time) => `W tej karcie możesz otworzyć go ponownie do ${time}.`,
    damaged: "Ten sekret został ucięty lub zmieniony, więc nic z niego nie jest pokazywane. Poproś o ponowne wysłanie.",
    saveAll: "Pobierz wszystko",
    zipping: (percent) => `Tworzenie ZIP… ${percent}%`,
    stored:
      "Ta przeglądarka przechowuje go na Twoim urządzeniu, dopóki nie zamkniesz tej strony. Najpierw poczekaj na koniec pobierania.",
    gone: "Ta przeglądarka nie ma już tego pliku. Jeśli został czas, odśwież tę stronę, aby pobrać go ponownie.",
  },
});
