import type { texts as english } from "../en/deciding.ts";
import type { Translation } from "../translations.ts";

/** What is said where the opening of a secret has to be approved, in Italian. */
export const texts: Translation<typeof english> = ({ number }) => ({
  deciding: {
    title: "Autorizzare l'apertura?",
    showAll: (count) => `Mostra tutto (${number(count)})`,
    wants: "Qualcuno vuole aprire questo segreto.",
    secret: (idEnd) => `Segreto ${idEnd}`,
    same: "L'altra persona vede le stesse parole. Fattele dire al telefono.",
    who: "Chi",
    sender: "Mittente",
    proven: (address) => `${address}, indirizzo verificato`,
    unproven: "qualcuno con il link, nessun indirizzo verificato",
    teammate: (idEnd) => `qualcuno del team, ID ${idEnd}`,
    asked: "Chiesto",
    until: "Attende fino a",
    letIn: "Autorizza",
    refuse: "Rifiuta",
    refuseLater: "Rifiuta comunque",
    busy: { approved: "Autorizzazione…", refused: "Rifiuto…" },
    outcomes: {
      approved: "Hai autorizzato una sola apertura, entro 10 minuti.",
      refused: "Hai rifiutato. L'altra persona può chiedere di nuovo.",
      over: "Troppo tardi: il tempo è scaduto, il segreto è stato aperto o revocato, l'autorizzazione è stata chiesta di nuovo, o ha deciso qualcun altro.",
      not_approver: "Deve decidere qualcun altro.",
    },
    news: (name, list) => `Qualcuno vuole aprire “${name}”: ${list}.`,
    approver: { title: "Autorizzazione", sender: "Da te", team: "Da qualcun altro del team" },
    history: {
      asked: (who, list) => `Autorizzazione chiesta: ${who} (${list})`,
      letIn: {
        you: (list) => `Hai autorizzato (${list})`,
        other: (list) => `Autorizzato da qualcuno del team (${list})`,
      },
      refused: {
        you: (list) => `Hai rifiutato (${list})`,
        other: (list) => `Rifiutato da qualcuno del team (${list})`,
      },
    },
  },
});
