import type { texts as english } from "../en/people.ts";
import type { Translation } from "../translations.ts";

/** What the screens say about the people whom a secret or a request is for, in Polish. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  people: {
    whoOpens: "Kto może to otworzyć?",
    whoHandsIn: "Kto może przekazać sekret?",
    everyone: "Każdy, kto ma link",
    hint: "Wpisz adresy e-mail albo *@example.com dla wszystkich z domeny.",
    worth:
      "Serwer sprawdza to kodem wysłanym na adres. Osoby prowadzące serwer mogłyby to pominąć, dlatego nie ujawniaj linku.",
    only: "tylko wybrane osoby",
    remove: (address) => `Usuń ${address}`,
    wrong: "To nie jest adres. Adres wygląda tak: ann@example.com.",
    tooMany: (most) => `Limit wybranych osób: ${most}.`,
    required: "Zasady Twojego zespołu wymagają wskazania osób.",
    onlyAt: (domains: string) => `Zasady Twojego zespołu dopuszczają tylko osoby z: ${domains}.`,
    refused: "Serwer nie przyjmuje jednego z tych adresów. Sprawdź je.",
    chosen: "Dla",
    lede: (times, when) =>
      plural(times, {
        one: `Tylko wybrane osoby mogą otworzyć sekret, jeden raz. Wygasa ${when}. Link nie pojawi się ponownie.`,
        other: `Tylko wybrane osoby mogą otworzyć sekret, łącznie {n} razy. Wygasa ${when}. Link nie pojawi się ponownie.`,
      }),
    asked: "Wysłano prośbę",
    opened: (address) => `Otwarto: ${address}, adres potwierdzony`,
    handedIn: (address) => `Przekazano: ${address}, adres potwierdzony`,
    refusedOne: (address) => `Ktoś z linkiem podał adres ${address} i nie potwierdził żadnego z wybranych`,
    refusedUnnamed: "Ktoś z linkiem nie potwierdził żadnego z wybranych adresów",
  },
});
