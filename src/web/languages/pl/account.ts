import type { texts as english } from "../en/account.ts";
import type { Translation } from "../translations.ts";

/** What a person's account says, in Polish. */
export const texts: Translation<typeof english> = ({ number }) => ({
  account: {
    browserOn: (browser, system) => `${browser} (${system})`,
    unknownBrowser: "Nieznana przeglądarka",
    actionOn: (action, name) => `${action}: ${name}`,
    passkeys: {
      title: "Klucze dostępu",
      what: "Z kluczem dostępu logujesz się odciskiem palca, twarzą lub kodem PIN, bez linku.",
      none: "Nie masz jeszcze klucza dostępu.",
      unsupported: "Ta przeglądarka nie obsługuje kluczy dostępu.",
      most: (count) => `Największa liczba kluczy dostępu to ${number(count)}. Usuń jeden, zanim dodasz następny.`,
      added: (when) => `Dodano ${when}`,
      used: (when) => `Ostatnio użyto ${when}`,
      unused: "Jeszcze nieużywany",
      add: "Dodaj klucz dostępu",
      adding: "Dodawanie…",
      isAdded: "Klucz dostępu został dodany.",
      remove: "Usuń",
      removing: "Usuwanie…",
      isRemoved: "Klucz dostępu został usunięty.",
      sure: {
        title: "Usunąć ten klucz dostępu?",
        text: "Logowanie tym kluczem nie będzie już możliwe. Może on pozostać na Twoim urządzeniu, aż go tam usuniesz.",
        confirm: "Usuń",
      },
      known: "Masz już tam klucz dostępu.",
      refused: "Serwer nie przyjął klucza dostępu. Spróbuj ponownie.",
      unusable: "Ta przeglądarka nie może tu dodać klucza dostępu. Spróbuj w innej przeglądarce.",
      offer: "Dodaj klucz dostępu, a następnym razem link nie będzie potrzebny.",
      later: "Nie teraz",
    },
    notices: {
      title: "Wiadomości e-mail",
      what: (address) => `Te wiadomości przychodzą na adres ${address}.`,
      opened: "Gdy Twoja przesyłka zostanie otwarta",
      ending: "Dzień przed wygaśnięciem przesyłki, której nikt nie otworzył",
      handedIn: "Gdy ktoś coś przekaże",
      asked: "Gdy ktoś czeka na Twoją zgodę",
      isSaved: "Zapisano.",
      whereSent: "Napisz do mnie, gdy moja przesyłka zostanie otwarta",
      whereAsked: "Napisz do mnie, gdy ktoś czeka na moją zgodę",
    },
    sessions: {
      title: "Twoje sesje",
      here: "Ta przeglądarka",
      since: (when) => `Zalogowano ${when}`,
      used: (when) => `Ostatnio użyto ${when}`,
      signOut: "Wyloguj",
      signingOut: "Wylogowywanie…",
      isSignedOut: "Ta sesja została zakończona.",
      others: "Zakończ pozostałe",
      areSignedOut: "Pozostałe sesje zostały zakończone.",
    },
  },
  again: {
    titles: {
      add: "Zaloguj się ponownie, aby dodać klucz dostępu",
      remove: "Zaloguj się ponownie, aby usunąć klucz dostępu",
      terminal: "Zaloguj się ponownie, aby zezwolić terminalowi na dostęp",
    },
    text: "Od zalogowania minęło ponad 15 minut. Ponowne logowanie pokazuje, że to nadal Ty.",
    otherwise:
      "Jeśli nic z tego nie jest możliwe, poproś administratora o link logowania i otwórz go w tej przeglądarce.",
    back: "Wróć",
  },
});
