import type { texts as english } from "../en/deciding.ts";
import type { Translation } from "../translations.ts";

/** What is said where the opening of a secret has to be approved, in Polish. */
export const texts: Translation<typeof english> = ({ number }) => ({
  deciding: {
    title: "Zezwolić na dostęp?",
    showAll: (count) => `Pokaż wszystkie (${number(count)})`,
    wants: "Ktoś chce otworzyć ten sekret.",
    secret: (idEnd) => `Sekret ${idEnd}`,
    same: "Ta osoba widzi te same słowa. Zapytaj o nie przez telefon.",
    who: "Kto",
    sender: "Nadawca",
    proven: (address) => `${address}, adres potwierdzony`,
    unproven: "ktoś z linkiem, bez potwierdzonego adresu",
    teammate: (idEnd) => `ktoś z Twojego zespołu, ID ${idEnd}`,
    asked: "Poproszono",
    until: "Prośba wygasa",
    letIn: "Zezwól",
    refuse: "Odmów",
    refuseLater: "Jednak odmów",
    busy: { approved: "Zezwalanie…", refused: "Odmawianie…" },
    outcomes: {
      approved: "Zezwolono na jedno otwarcie, w ciągu 10 minut.",
      refused: "Odmówiono dostępu. Ta osoba może poprosić ponownie.",
      over: "Za późno: czas minął, sekret został otwarty lub unieważniony poproszono ponownie albo zdecydował ktoś inny.",
      not_approver: "Musi o tym zdecydować ktoś inny.",
    },
    news: (name, list) => `Ktoś chce otworzyć „${name}”: ${list}.`,
    approver: { title: "Zgoda", sender: "Twoja", team: "Kogoś innego z Twojego zespołu" },
    history: {
      asked: (who, list) => `Prośba o dostęp: ${who} (${list})`,
      letIn: { you: (list) => `Twoja zgoda (${list})`, other: (list) => `Zgoda kogoś z zespołu (${list})` },
      refused: { you: (list) => `Twoja odmowa (${list})`, other: (list) => `Odmowa kogoś z zespołu (${list})` },
    },
  },
});
