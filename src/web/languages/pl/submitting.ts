import type { texts as english } from "../en/submitting.ts";
import type { Translation } from "../translations.ts";

/** What the screens say on which text and files are put together, and those of a request, in Polish. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  content: {
    label: "Sekret",
    placeholder: "Hasło, klucz, notatka…",
    add: "Dodaj pliki",
    addFolder: "Dodaj folder",
    addPhoto: "Dodaj zdjęcie",
    drop: "lub przeciągnij pliki tutaj",
    dropNow: "Upuść, aby dodać",
    room: (limit) => `Do ${limit}`,
    used: (used, limit) => `${used} z ${limit}`,
    remove: (name) => `Usuń plik ${name}`,
    removeAll: "Usuń wszystkie",
    moreFiles: (count) =>
      plural(count, { one: "Jeszcze 1 plik", few: "Jeszcze {n} pliki", other: "Jeszcze {n} plików" }),
    lines: (count) => plural(count, { one: "1 wiersz", few: "{n} wiersze", other: "{n} wierszy" }),
    longText: "Zbyt długi, aby go tutaj edytować.",
    empty: "Wpisz coś albo dodaj plik.",
    sameName: (name) => `Plik o nazwie ${name} już tu jest. Najpierw go usuń albo zmień nazwę drugiego.`,
    tooMany: "To ponad 10 000 plików, a tylu nikt nie rozpakuje. Najpierw spakuj je do archiwum.",
    tooLarge: (size, limit) => `To za dużo: ${size}. Limit wynosi ${limit}.`,
    fileTooLarge: (name, size, limit) => `Plik ${name} jest za duży: ma ${size}. Limit wynosi ${limit}.`,
    badName: (name) => `Nie można wysłać pliku o nazwie „${name}”. Najpierw ją zmień.`,
    unreadable: (name) => `Nie można odczytać pliku ${name}. Czy nadal istnieje?`,
    moreRefused: (count) =>
      plural(count, {
        one: "Nie dodano też 1 innego pliku.",
        other: "Nie dodano też {n} innych plików.",
      }),
    shortcut: (keys) => `lub naciśnij ${keys}`,
  },
  delivery: {
    encrypting: "Szyfrowanie…",
    encryptingText: "Sekret nie został jeszcze wysłany.",
    sending: "Wysyłanie…",
    sendingText: "Jest już zaszyfrowany. Nie zamykaj tej strony, dopóki to trwa.",
    progress: "Wysłano",
    left: (time) => `Jeszcze mniej więcej ${time}`,
    waiting: "Oczekiwanie na odpowiedź serwera…",
    canceling: "Anulowanie…",
    cancelingText: "Jeśli sekret dotarł, zostanie unieważniony.",
    canceledBefore: "Anulowano. Nic nie zostało wysłane.",
  },
  submit: {
    title: "Ktoś prosi Cię o poufne dane",
    titleBy: (name) => `${name} prosi o poufne dane`,
    caution: "Kontynuuj tylko wtedy, gdy wiesz, od kogo masz ten link.",
    label: "Co przekazujesz",
    placeholder: "Wpisz lub wklej tutaj",
    terms: "Odczyta to tylko osoba, która prosi.",
    until: (when) => `Link wygasa ${when}.`,
    left: (count) =>
      plural(count, {
        one: "Można przekazać 1 sekret.",
        few: "Można przekazać {n} sekrety, po jednym.",
        other: "Można przekazać {n} sekretów, po jednym.",
      }),
    button: "Przekaż",
    showField: (name) => `Pokaż „${name}”`,
    hideField: (name) => `Ukryj „${name}”`,
    wrongValues: {
      missing: "Wypełnij to pole.",
      too_long: "To za długie.",
      several_lines: "To więcej niż jeden wiersz.",
      control_character: "Jest tu znak, którego nie można wysłać.",
    },
    joined: "Wklejono kilka wierszy i powstał z nich jeden. Sprawdź go.",
    canceled:
      "Anulowano, ale sekret mógł już dotrzeć. Dla pewności przekaż go jeszcze raz bez zmian: policzy się tylko raz.",
    swapped: {
      title: "Stop: niczego nie wysyłaj",
      text: "Link jest uszkodzony albo serwer próbuje odczytać to, co wysyłasz. Nic nie zostało wysłane. Skopiuj cały link jeszcze raz. Jeśli to nie pomoże, powiadom osobę, od której go masz.",
    },
    noteBroken:
      "Nie można odczytać notatki do tej prośby. Link jest uszkodzony albo serwer ją zmienił. Nic nie zostało wysłane.",
    paused: {
      title: "Ta prośba jest wstrzymana",
      text: "Teraz nie można niczego przekazać. Spróbuj później albo zapytaj osobę, od której masz link.",
    },
    fulfilled: {
      title: "To już przekazano",
      text: "Wszystko, o co proszono, zostało przekazane przez Ciebie lub kogoś innego. Niczego więcej nie można przekazać.",
    },
    expired: { title: "Ta prośba wygasła", text: "Nie można już niczego przekazać. Poproś o nowy link." },
    revoked: {
      title: "Tę prośbę unieważniono",
      text: "Nie można już niczego przekazać.",
    },
    notSent: "Twój sekret nie został wysłany.",
    kept: "Wpisana treść nadal tu jest.",
    earlierArrived:
      "Pierwsza wersja dotarła i osoba, która prosi, może ją otworzyć. Późniejsze zmiany nie zostały wysłane: powiedz jej o tym.",
    done: {
      title: "Przekazano",
      text: "Otworzy to tylko osoba, która prosi. Możesz zamknąć tę stronę.",
      hadEarlier:
        "Poprzednia wersja, bez odpowiedzi, też mogła dotrzeć. Daj znać osobie, która prosi, którą wersję wybrać.",
      more: "Przekaż kolejny",
      reference: "Numer",
      referenceText: "Osoba, która prosi, znajdzie po nim Twój sekret. Nie da się nim niczego otworzyć.",
    },
  },
});
