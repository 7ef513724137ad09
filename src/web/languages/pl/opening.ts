import type { texts as english } from "../en/opening.ts";
import type { Translation } from "../translations.ts";

/** What the screens of a secret that is opened say, in Polish. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  open: {
    title: "Ktoś przesyła Ci poufne dane",
    titleBy: (name) => `${name} przesyła Ci poufne dane`,
    titleHere: "Wpisz frazę dostępu",
    files: (count) => plural(count, { one: "1 plik", few: "{n} pliki", other: "{n} plików" }),
    both: (count) => plural(count, { one: "Tekst i 1 plik", few: "Tekst i {n} pliki", other: "Tekst i {n} plików" }),
    times: (left) => plural(left, { one: "Jedno otwarcie", few: "{n} otwarcia", other: "{n} otwarć" }),
    moreTimes: (left) =>
      plural(left, { one: "Jeszcze 1 otwarcie", few: "Jeszcze {n} otwarcia", other: "Jeszcze {n} otwarć" }),
    until: (when) => `Wygasa ${when}`,
    passphraseHint: "Dostaniesz ją od nadawcy. Możesz próbować do skutku.",
    taken: "Sekret jest już tutaj, ale wciąż chroni go fraza dostępu. Nie zamykaj tej karty, dopóki go nie odczytasz.",
    takenHere:
      "Sekret jest już tutaj, ale wciąż chroni go fraza dostępu. Ta przeglądarka nie może go zachować: nie zamykaj ani nie odświeżaj tej karty, dopóki go nie odczytasz.",
    notYet: "Sekret nie został tu jeszcze otwarty.",
    maybe: "Możliwe, że serwer już udostępnił sekret. Od razu spróbuj ponownie w tej karcie.",
    maybeTrying: "Możliwe, że serwer już udostępnił sekret. Ta karta próbuje ponownie: nie zamykaj jej.",
    refusedTrying: "Serwer odpowiedział, że niczego nie udostępnił. Ta karta próbuje ponownie.",
    emptyPassphrase: "Najpierw wpisz frazę dostępu.",
    spaces: "Na początku lub końcu jest spacja. Jeśli tak nie zadziała, fraza zostanie sprawdzona bez niej.",
    wrongPassphrase: "Ta fraza nie działa. Sprawdź ją i spróbuj ponownie.",
    passphraseMissing: "Potrzebna jest też fraza dostępu. Poproś o nią nadawcę albo porównaj ten link z oryginałem.",
    beWary: "Nie spodziewasz się tego? Zanim otworzysz, zapytaj osobę, od której masz link.",
    beWaryOf: (name) => `Nie spodziewasz się tego? Zanim otworzysz, potwierdź, że wysyła to ${name}.`,
    button: "Otwórz sekret",
    opening: (percent) => (percent < 100 ? `Otwieranie… ${percent}%` : "Otwieranie…"),
  },
  opened: {
    text: "Sekret",
    file: "Plik",
    from: (name) => `Przesyła ${name}`,
    theTextIsHidden: "Tekst jest ukryty",
    hidden: (characters) =>
      plural(characters, { one: "Ukryte, 1 znak", few: "Ukryte, {n} znaki", other: "Ukryte, {n} znaków" }),
    lines: (count) => plural(count, { one: "Tekst, 1 wiersz", few: "Tekst, {n} wiersze", other: "Tekst, {n} wierszy" }),
    fields: (count) => plural(count, { one: "1 pole", few: "{n} pola", other: "{n} pól" }),
    hide: "Ukryj",
    show: "Pokaż",
    showAgain: "Pokaż ponownie",
    hideAll: "Ukryj wszystko",
    showAll: "Pokaż wszystko",
    copyAll: "Kopiuj wszystko",
    copyThis: (name) => `Kopiuj „${name}”`,
    copiedThis: (name) => `Skopiowano „${name}”`,
    showThis: (name) => `Pokaż „${name}”`,
    hideThis: (name) => `Ukryj „${name}”`,
    download: (name) => `Pobierz plik ${name}`,
    save: "Pobierz",
    saveAll: "Pobierz jako ZIP",
    saved: (size) => `${size} · pobrano`,
    archive: "secret.zip",
    notZipped: "Nie można utworzyć pliku ZIP. Sprawdź połączenie albo pobierz pliki pojedynczo.",
    preview: (name) => `Podgląd pliku ${name}`,
    noPreview: "Ta przeglądarka nie może tego pokazać. Pobierz plik, aby go obejrzeć.",
    keep: "Zapisz go teraz. Nie będzie można pokazać go ponownie.",
    keepNow: "Zapisz go teraz.",
    keepInTab: (left) => `Zapisz go teraz. W tej karcie możesz pokazać go ponownie jeszcze przez ${left}.`,
    keepInBrowser: (left) => `Zapisz go teraz. W tej przeglądarce możesz pokazać go ponownie jeszcze przez ${left}.`,
    timeLeft: "Pozostały czas",
    find: "Szukaj pliku",
    noneFound: "Żaden plik tak się nie nazywa.",
    showMore: (count) => plural(count, { other: "Pokaż jeszcze {n}" }),
    left: (left) =>
      plural(left, { one: "Link można otworzyć jeszcze 1 raz.", other: "Link można otworzyć jeszcze {n} razy." }),
    noFiles: "Nie ma tu plików, są tylko foldery.",
    longText: "To tylko początek. Kopiuj i Pobierz obejmują całość.",
    textFile: "secret.txt",
    cannotOpen: "Tego sekretu nie można otworzyć",
    undecryptable:
      "Nie można tego odszyfrować: link lub fraza dostępu nie pasują albo sekret został zmieniony. Poproś o ponowne wysłanie.",
    unsafe:
      "Nie można rozpakować archiwum z tego sekretu: jest niebezpieczne, nietypowe albo ma za dużo plików. Poproś o ponowne wysłanie.",
    damaged:
      "To archiwum jest uszkodzone, więc nie widać jego plików. Możesz pobrać je w tej postaci i poprosić o ponowne wysłanie.",
    refused: {
      version: "Ta strona nie zna formatu tego sekretu. Powiadom administratora serwera.",
      settings:
        "Ten sekret zaszyfrowano z ustawieniami, które ta strona odrzuca, bo otwieranie mogłoby trwać bardzo długo. Poproś o ponowne wysłanie przez handoff.",
      otherwise:
        "Ten sekret zaszyfrowano dla innego klucza, więc ta strona nie może go otworzyć. Poproś o ponowne wysłanie.",
    },
    erase: "Gotowe, usuń teraz",
    erasing: "Usuwanie…",
    eraseFirst: (rest) => ({
      title: "Usunąć bez zapisania sekretu?",
      text: `Jeszcze nie wszystko zostało skopiowane lub zapisane. ${rest}`,
      confirm: "Usuń",
    }),
    notAgain: "Nie będzie można pokazać go ponownie.",
    maybeNotAgain: "Ponowne otwarcie może nie być możliwe.",
    notErased: "Nie udało się usunąć sekretu z serwera. Spróbuj ponownie albo poczekaj, aż czas minie.",
    erased: {
      title: "Usunięto",
      text: "Sekretu nie ma już na serwerze ani na tej stronie. Możesz ją zamknąć.",
    },
    erasedHere: (rest) => ({ title: "Usunięto z tej strony", text: `Sekretu nie ma już na tej stronie. ${rest}` }),
    canClose: "Możesz zamknąć stronę.",
  },
  ended: {
    titles: {
      opened: "Ten sekret został otwarty",
      openedByYou: "Ten sekret otwarto tutaj",
      expired: "Ten sekret wygasł",
    },
    claimed: (when) => ({
      text: `Otwarto go ${when}.`,
      warning: "Jeśli to nie Ty, powiadom nadawcę: sekret może mieć ktoś inny.",
    }),
    claimedTimes: (times, when) => ({
      text: plural(times, {
        one: `Otwarto go ${when}.`,
        other: `Otwarto go {n} razy, ostatnio ${when}.`,
      }),
      warning: "Jeśli nic o tym nie wiesz, powiadom nadawcę: sekret może mieć ktoś inny.",
    }),
    claimLost: (when, asked) => ({
      text: `Otwarto go ${when}. Ta karta próbowała otworzyć go ${asked}, ale odpowiedź nie dotarła. Poproś nadawcę o ponowne wysłanie.`,
      warning: "Jeśli te godziny się różnią, sekret może mieć ktoś inny.",
    }),
    openedElsewhere: (time) => `Otwarto go tutaj o ${time}, w innej karcie.`,
    askedElsewhere: {
      title: "Ten sekret jest właśnie otwierany",
      text: "Otwiera go inna karta, ale odpowiedź jeszcze tam nie dotarła.",
    },
    again: (left) => `Możesz pokazać go ponownie jeszcze przez ${left}.`,
    openedHere: (when) => `Otwarto go ${when}. Jeśli znów go potrzebujesz, poproś nadawcę.`,
    openedOneOfSeveral: (when, left) =>
      plural(left, {
        one: `Otwarto go ${when}. Po ostatnim otwarciu tutaj link można było otworzyć jeszcze 1 raz. Otwórz ponownie link z wiadomości.`,
        other: `Otwarto go ${when}. Po ostatnim otwarciu tutaj link można było otworzyć jeszcze {n} razy. Otwórz ponownie link z wiadomości.`,
      }),
    expired: (when) => `Wygasł ${when}. Poproś nadawcę o nowy link.`,
    neverOpened: (when) => `Wygasł ${when} i nikt go nie otworzył. Poproś nadawcę o nowy link.`,
    revoked: (when) => ({
      title: "Ten sekret unieważniono",
      text: `Unieważniono go ${when}. Jeśli go potrzebujesz, poproś nadawcę.`,
    }),
  },
});
