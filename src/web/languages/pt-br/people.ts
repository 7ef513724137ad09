import type { texts as english } from "../en/people.ts";
import type { Translation } from "../translations.ts";

/** What the screens say about the people whom a secret or a request is for, in Brazilian Portuguese. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  people: {
    whoOpens: "Quem pode abrir?",
    whoHandsIn: "Quem pode entregar?",
    everyone: "Qualquer pessoa com o link",
    hint: "Digite endereços de e-mail, ou *@example.com para um domínio inteiro.",
    worth:
      "O servidor confere isso com um código que envia para o endereço. Quem administra o servidor poderia pular essa etapa, então mantenha o link em segredo.",
    only: "só pessoas escolhidas",
    remove: (address) => `Remover ${address}`,
    wrong: "Isto não é um endereço. Um endereço é assim: ann@example.com.",
    tooMany: (most) => `Escolha no máximo ${most}.`,
    required: "As regras da sua equipe pedem que você diga quem.",
    onlyAt: (domains: string) => `As regras da sua equipe só permitem pessoas de: ${domains}.`,
    refused: "O servidor não aceita um destes endereços. Confira todos.",
    chosen: "Para",
    lede: (times, when) =>
      plural(times, {
        one: `Só as pessoas que você escolheu podem abrir o segredo, uma vez. O link expira ${when} e não será mostrado de novo.`,
        other: `Só as pessoas que você escolheu podem abrir o segredo, {n} vezes. O link expira ${when} e não será mostrado de novo.`,
      }),
    asked: "Você pediu",
    opened: (address) => `Aberto por ${address}, endereço comprovado`,
    handedIn: (address) => `Entregue por ${address}, endereço comprovado`,
    refusedOne: (address) => `Alguém com o link informou o endereço ${address} e não comprovou nenhum dos escolhidos`,
    refusedUnnamed: "Alguém com o link não comprovou nenhum dos endereços escolhidos",
  },
});
