import type { texts as english } from "../en/landing.ts";
import type { Translation } from "../translations.ts";

/** What the start page says, and what signing in and out says, in Polish. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  contact: "Potrzebujesz pomocy? Kontakt:",
  signIn: {
    title: "Zaloguj się",
    lede: "Administrator utworzył ten link dla Ciebie.",
    already:
      "W tej przeglądarce jest już zalogowane to konto. Link przełączy na konto osoby, dla której go utworzono. Klucze prywatne próśb pozostają w tej przeglądarce aż do wylogowania.",
    once: "Link działa jeden raz. Na wspólnym komputerze wyloguj się na koniec.",
    button: "Zaloguj się",
    busy: "Logowanie…",
    stay: "Zostaw, jak jest",
    signedIn: "Zalogowano Cię",
    goOn: "Dalej",
    signedInAs: (name, team) => `Zalogowano Cię na konto ${name}, ${team}.`,
    until: (when) => `Przy braku aktywności wylogowanie nastąpi ${when}.`,
    notYou: "Nie Ty? Wyloguj się",
    faults: {
      missing: {
        title: "Zaloguj się",
        text: "Otwórz cały link logowania od administratora, razem z częścią po znaku #.",
      },
      cut: {
        title: "Ten link logowania jest niepełny",
        text: "Skopiuj cały link z wiadomości od administratora.",
      },
      long: {
        title: "Ten link logowania ma zbędne znaki",
        text: "Skopiuj go jeszcze raz, bez nich.",
      },
      mistyped: {
        title: "Ten link logowania ma literówkę",
        text: "Skopiuj go jeszcze raz z wiadomości od administratora.",
      },
    },
    needsHttps: {
      title: "Do logowania ta przeglądarka wymaga HTTPS",
      text: "Adres zaczyna się od http. Safari i niektóre inne przeglądarki utrzymują logowanie tylko przez HTTPS. Otwórz link w Chrome lub Firefoksie albo poproś administratora o adres HTTPS. Link nie został tutaj użyty.",
    },
    noCookie: {
      title: "Ta przeglądarka nie utrzymuje logowania",
      text: "Odrzuca plik cookie tej strony. Zezwól na pliki cookie dla tego adresu i otwórz link logowania ponownie. Jeśli już nie działa, poproś administratora o nowy.",
    },
    refused: {
      title: "Ten link logowania nie działa",
      text: "Wygasł albo został użyty, zastąpiony lub anulowany. Poproś administratora o nowy.",
    },
    passkey: {
      button: "Użyj klucza dostępu",
      unknown:
        "Ten klucz dostępu tu nie działa. Być może został usunięty. Użyj innego lub poproś administratora o link logowania.",
      late: "Trwało to zbyt długo. Spróbuj ponownie.",
      unusable:
        "Ta przeglądarka nie może tu użyć klucza dostępu. Otwórz zamiast tego link logowania od administratora.",
      noCookie:
        "Ta przeglądarka odrzuca plik cookie tej strony. Zezwól na pliki cookie dla tego adresu i spróbuj ponownie.",
    },
    keepTab: "Link mógł już zostać użyty, a wtedy działa tylko w tej karcie.",
  },
  signOut: {
    stillSignedIn: {
      title: "Nie wylogowano Cię",
      text: "Brak połączenia z serwerem. Sprawdź połączenie i wyloguj się ponownie.",
    },
    unsavedElsewhere: {
      title: "Wylogować się?",
      text: "W innej karcie jest niewysłany tekst albo nieskopiowany link. Przepadnie.",
      confirm: "Wyloguj się",
    },
    losesKeys: (keys, toCollect) => ({
      title: "Wylogować się?",
      text: [
        plural(keys, {
          one: "Ta przeglądarka usunie klucz prywatny 1 prośby. Bez kopii klucza nikt nie otworzy przekazanych sekretów.",
          other:
            "Ta przeglądarka usunie klucze prywatne {n} próśb. Bez kopii kluczy nikt nie otworzy przekazanych sekretów.",
        }),
        toCollect > 0
          ? plural(toCollect, {
              one: "1 sekret czeka na odebranie.",
              few: "{n} sekrety czekają na odebranie.",
              other: "{n} sekretów czeka na odebranie.",
            })
          : "",
      ]
        .filter(Boolean)
        .join(" "),
      confirm: "Wyloguj się",
    }),
    keysLeft: {
      title: "Wylogowano Cię",
      text: "Ta przeglądarka nie usunęła kluczy prywatnych Twoich próśb. Wyczyść dane tej strony w ustawieniach przeglądarki.",
    },
  },
  nothingAllowed: {
    title: "Na razie nie możesz wysyłać ani prosić",
    text: "Zalogowano Cię, ale nie masz uprawnień do wysyłania, do próśb ani do podglądu aktywności. Zwróć się do administratora.",
  },
  landing: {
    title: "Wysyłaj poufne dane bezpiecznie",
    lede: "Hasła, klucze i pliki, szyfrowane w Twojej przeglądarce. Serwer nie może ich odczytać.",
    link: "Masz link? Wklej go tutaj.",
    hint: "Przed otwarciem zobaczysz, co to jest.",
    steps: {
      encrypted: {
        title: "Zapieczętowane tutaj",
        text: "Szyfruje Twoja przeglądarka. Klucz jest w linku i nigdy nie trafia na serwer.",
      },
      kept: {
        title: "Otwarte jeden raz",
        text: "Link działa jeden raz, chyba że nadawca zezwoli na więcej. Potem serwer usuwa sekret.",
      },
      opened: {
        title: "Wiesz, kiedy",
        text: "Nadawca widzi, kiedy sekret został otwarty.",
      },
    },
    signIn: "Aby coś wysłać, otwórz link logowania od administratora.",
    signInByAdmin: "Aby coś wysłać, potrzebujesz linku logowania. Poproś o niego administratora.",
    withoutPasskey: "Nie masz jeszcze klucza dostępu? Otwórz link logowania od administratora.",
    withoutPasskeyByAdmin: "Nie masz jeszcze klucza dostępu? Poproś administratora o link logowania.",
    contact: "Nie masz konta albo masz pytanie? Kontakt:",
    commandLine: "Wiersz poleceń i API",
    commandLineText: "Z kluczem API od administratora handoff działa też w terminalu i w programach.",
    docs: "Dokumentacja API",
  },
});
