import type { texts as english } from "../en/deciding.ts";
import type { Translation } from "../translations.ts";

/** What is said where the opening of a secret has to be approved, in Brazilian Portuguese. */
export const texts: Translation<typeof english> = ({ number }) => ({
  deciding: {
    title: "Autorizar?",
    showAll: (count) => `Mostrar tudo (${number(count)})`,
    wants: "Alguém quer abrir este segredo.",
    secret: (idEnd) => `Segredo ${idEnd}`,
    same: "A outra pessoa vê as mesmas palavras. Pergunte quais são por telefone.",
    who: "Quem",
    sender: "Remetente",
    proven: (address) => `${address}, endereço comprovado`,
    unproven: "alguém com o link, nenhum endereço comprovado",
    teammate: (idEnd) => `alguém da sua equipe, ID ${idEnd}`,
    asked: "Pedido",
    until: "Fim da espera",
    letIn: "Autorizar",
    refuse: "Recusar",
    refuseLater: "Recusar mesmo assim",
    busy: { approved: "Autorizando…", refused: "Recusando…" },
    outcomes: {
      approved: "Você autorizou uma abertura, por 10 minutos.",
      refused: "Você recusou. A outra pessoa pode pedir de novo.",
      over: "Tarde demais: o tempo acabou, o segredo foi aberto ou revogado, a autorização foi pedida de novo, ou outra pessoa decidiu.",
      not_approver: "Outra pessoa precisa decidir isso.",
    },
    news: (name, list) => `Alguém quer abrir “${name}”: ${list}.`,
    approver: { title: "Autorização", sender: "Dada por você", team: "Dada por outra pessoa da sua equipe" },
    history: {
      asked: (who, list) => `Autorização pedida: ${who} (${list})`,
      letIn: {
        you: (list) => `Você autorizou (${list})`,
        other: (list) => `Autorizado por alguém da equipe (${list})`,
      },
      refused: { you: (list) => `Você recusou (${list})`, other: (list) => `Recusado por alguém da equipe (${list})` },
    },
  },
});
