import type { texts as english } from "../en/page.ts";
import type { Translation } from "../translations.ts";
import { onDay } from "./times.ts";

/** What every screen may say, in Polish. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  language: "pl",
  direction: "ltr",
  name: "handoff",
  loading: "Chwileczkę…",
  slow: "Serwer jeszcze nie odpowiedział.",
  frame: {
    promise: "Szyfrowane w Twojej przeglądarce. Ten serwer tego nie odczyta.",
    about: "Jak to działa",
    commandLine: "Wiersz poleceń",
    api: "API",
    contact: "Pomoc",
    imprint: "Nota prawna",
    privacy: "Prywatność",
    runOn: (host) => `To serwer ${host}. Nie odczyta tego, co udostępniasz.`,
    runBy: (name, host) => `${name} prowadzi ten serwer, ${host}. Nie odczyta on tego, co udostępniasz.`,
    language: "Język",
  },
  cancel: "Anuluj",
  leaving: {
    typed: {
      title: "Odrzucić wpisaną treść?",
      text: "Nie została wysłana, a ta strona jej nie zachowa.",
      confirm: "Odrzuć",
    },
    link: {
      title: "Wyjść bez skopiowania linku?",
      text: "Link nie pojawi się ponownie.",
      confirm: "Wyjdź",
    },
    secret: {
      title: "Zamknąć bez zapisania sekretu?",
      text: "Jeszcze nie wszystko zostało skopiowane lub zapisane.",
      confirm: "Zamknij",
    },
  },
  copy: "Kopiuj",
  copied: "Skopiowano",
  notCopied: "Ta przeglądarka nie pozwala stronie kopiować. Tekst jest zaznaczony: skopiuj go ręcznie.",
  insecure: {
    title: "Ta strona wymaga HTTPS",
    text: "Adres zaczyna się od http, więc ktoś po drodze może zmienić tę stronę i przejąć sekret. Otwórz adres z https. Jeśli to nie działa, powiadom osobę, od której masz link.",
  },
  broken: {
    title: "Ten link jest niepełny",
    text: "Skopiuj z wiadomości cały link.",
  },
  tooLong: {
    title: "Ten link ma zbędne znaki",
    text: "Skopiuj go jeszcze raz, bez nich.",
  },
  noKey: {
    title: "W tym linku brakuje klucza",
    text: "Niektóre aplikacje obcinają część po znaku #. Wklej tutaj cały link.",
  },
  encodedKey: {
    title: "Ten link zmienił się po drodze",
    text: "Jakaś aplikacja zamieniła # na %23, więc klucz trafił na serwer. Na wszelki wypadek poproś nadawcę o nowy link. Możesz też wkleić tutaj cały link.",
  },
  newerLink: {
    title: "Ten link jest dla nowszej wersji",
    text: "Serwer tej strony jest starszy niż link. Powiadom administratora serwera.",
  },
  forgotten: {
    title: "Ta karta nie ma już klucza",
    text: "Otwórz ponownie link z wiadomości.",
  },
  wrongLink: {
    title: "Ten link nie działa",
    text: "Może ma literówkę albo od dawna jest nieważny. Skopiuj cały link jeszcze raz albo poproś nadawcę o nowy.",
  },
  paste: {
    label: "Wklej tutaj cały link",
    button: "Otwórz",
    empty: "Najpierw wklej link.",
    noLink: "To nie jest link z handoff. Skopiuj go jeszcze raz z wiadomości.",
    noKey: "Brakuje części od znaku #. To jest klucz.",
    kinds: {
      secret: "Ten link otwiera sekret.",
      request: "To jest link z prośbą: służy do przekazania sekretu.",
      backup: "To jest link zapasowy: otwiera to, co przekazano.",
    },
    elsewhere: (host) => `Ten link prowadzi na inny serwer, ${host}. Przejdź tam tylko wtedy, gdy go znasz.`,
    openOn: (host) => `Przejdź na ${host}`,
  },
  tooMany: {
    title: "Zbyt wiele prób",
    text: "Ten link nie działa, a z Twojej sieci było już zbyt wiele nieudanych prób. Sprawdź link i spróbuj ponownie za minutę.",
  },
  failed: {
    title: "Nie udało się",
    bare: "Nie udało się.",
    back: "Nie udało się, ale serwer znów odpowiada. Spróbuj ponownie.",
    network: {
      title: "Brak połączenia z serwerem",
      bare: "Brak połączenia z serwerem.",
      lede: "Sprawdź połączenie i spróbuj ponownie.",
      text: "Brak połączenia z serwerem. Sprawdź połączenie i spróbuj ponownie.",
    },
    busy: {
      title: "Serwer jest niedostępny",
      bare: "Serwer jest niedostępny.",
      lede: "Spróbuj ponownie za minutę.",
      text: "Serwer jest niedostępny. Spróbuj ponownie za minutę.",
    },
    answered: {
      title: "Odpowiedź nie pochodzi od serwera",
      text: "Po drodze coś odpowiedziało zamiast serwera. Może ta sieć wymaga najpierw zalogowania, jak w hotelu? Sprawdź to i spróbuj ponownie.",
    },
    limited: "Zbyt wiele prób w krótkim czasie. Spróbuj ponownie za minutę.",
    other: "Coś poszło nie tak. Spróbuj ponownie.",
    refused: "Serwer tego nie przyjął. Ponowna próba nie pomoże: powiadom administratora serwera.",
    stale: "Nie można wczytać części tej strony. Sprawdź połączenie albo odśwież stronę.",
    quota: "Na serwerze nie zostało dość miejsca dla tego zespołu. Wyślij coś mniejszego albo poproś o więcej miejsca.",
    again: "Spróbuj ponownie",
  },
  retrying: {
    limited: "Zbyt wiele prób z Twojej sieci.",
    again: (reason, seconds) =>
      plural(seconds, {
        one: `${reason} Ponowna próba za 1 sekundę…`,
        few: `${reason} Ponowna próba za {n} sekundy…`,
        other: `${reason} Ponowna próba za {n} sekund…`,
      }),
  },
  signedOut: {
    title: "Wylogowano Cię",
    text: "Wylogowano Cię. Zaloguj się ponownie w innej karcie, a potem spróbuj tutaj jeszcze raz.",
  },
  otherPerson: (name) => `W tej przeglądarce jest teraz zalogowane konto ${name}. Odśwież stronę, aby kontynuować.`,
  justNow: "przed chwilą",
  onDay,
  atTime: (day, time) => `${day} o ${time}`,
  timeLeft: (duration) => `Jeszcze ${duration}`,
  text: "Tekst",
  theText: "Tekst",
  size: {
    about: (size) => `Około ${size}`,
    lessThan: (size) => `Mniej niż ${size}`,
  },
  person: {
    according: "według tego serwera",
  },
  passphrase: {
    label: "Fraza dostępu",
    show: "Pokaż frazę dostępu",
    hide: "Ukryj frazę dostępu",
  },
  titles: {
    send: "Wyślij sekret",
    ask: "Poproś o sekret",
  },
});
