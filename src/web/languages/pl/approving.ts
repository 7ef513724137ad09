import type { texts as english } from "../en/approving.ts";
import type { Translation } from "../translations.ts";

/** What the screens say about the approval of an opening, in Polish. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  approving: {
    wanted: "Zanim otworzysz sekret, ktoś musi wyrazić zgodę.",
    wantedOf: (name) => `Zanim otworzysz sekret, ${name} musi wyrazić zgodę.`,
    how: "Zobaczysz trzy słowa. Ktoś może zadzwonić i zapytać, jakie słowa widzisz.",
    button: "Poproś o zgodę",
    asking: "Pytanie o zgodę…",
    waiting: "Czekanie na zgodę",
    waitingFor: (name) => `Czekanie na zgodę: ${name}`,
    compare: "Osoba, która decyduje, widzi te same trzy słowa. Jeśli zapyta o nie przez telefon, przeczytaj je.",
    three: "Trzy słowa",
    english: "Słowa są po angielsku.",
    goesOn: (time) => `Nie zamykaj tej strony, sama przejdzie dalej. Czas na decyzję mija o ${time}.`,
    triesAgain: "Ta strona sama spróbuje ponownie.",
    letIn: (time) => `Jest zgoda. Otwórz sekret przed ${time}.`,
    refused: {
      title: "Odpowiedź brzmi: nie",
      text: "Sekret nie został otwarty. Jeśli go potrzebujesz, porozmawiaj z nadawcą, a potem poproś jeszcze raz.",
    },
    over: "Twoja prośba nie jest już ważna. Na decyzję jest godzina, a po uzyskaniu zgody 10 minut na otwarcie. Poproś jeszcze raz, jeśli nadal potrzebujesz sekretu.",
    again: "Poproś ponownie",
    tooMany: "Zbyt wiele osób czeka już na zgodę. Porozmawiaj z nadawcą albo spróbuj później.",
    elsewhere:
      "Sekret nie został otwarty w tej karcie. Zgodę dostał ktoś inny albo Ty w innej przeglądarce. Jeśli nadal potrzebujesz sekretu, porozmawiaj z nadawcą.",
  },
  approval: {
    who: "Kto musi wyrazić zgodę?",
    choices: { nobody: "Nikt", sender: "Najpierw ja", team: "Inna osoba z zespołu" },
    meanings: {
      sender: "Za każdym razem, gdy ktoś chce otworzyć sekret, Aktywność pyta Cię o zgodę.",
      team: "Za każdym razem, gdy ktoś chce otworzyć sekret, Aktywność pyta o zgodę inne osoby z Twojego zespołu. Ty nie możesz jej wyrazić.",
    },
    worth: "Pilnuje tego serwer. Osoby, które go prowadzą, mogłyby to pominąć, dlatego nie ujawniaj linku.",
    required: "Wymagają tego zasady Twojego zespołu.",
    inBrief: { sender: "najpierw moja zgoda", team: "za zgodą innej osoby" },
    lede: (times, when) =>
      plural(times, {
        one: `Każdy, kto ma link, może poprosić o otwarcie sekretu. Sekret można otworzyć jeden raz. Wygasa ${when}. Link nie pojawi się ponownie.`,
        other: `Każdy, kto ma link, może poprosić o otwarcie sekretu. Sekret można otworzyć {n} razy. Wygasa ${when}. Link nie pojawi się ponownie.`,
      }),
    message: {
      sender: "Do otwarcia potrzebna jest moja zgoda. Zobaczysz trzy słowa: mogę zadzwonić i o nie zapytać.",
      team: "Do otwarcia potrzebna jest zgoda kogoś innego z mojego zespołu. Zobaczysz trzy słowa: ta osoba może zadzwonić i o nie zapytać.",
    },
    decides: {
      sender:
        "Ty decydujesz, kto otworzy sekret. Gdy ktoś poprosi, zobaczysz to w Aktywności razem z trzema słowami, które widzi też ta osoba. Nie wiesz, kto to? Zadzwoń i zapytaj o słowa.",
      team: "Inna osoba z Twojego zespołu decyduje, kto otworzy sekret. Gdy ktoś poprosi, pojawi się to w jej Aktywności, a nie w Twojej.",
    },
  },
});
