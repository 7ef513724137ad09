import type { texts as english } from "../en/approving.ts";
import type { Translation } from "../translations.ts";
import { atTime } from "./times.ts";

/** What the screens say about the approval of an opening, in Brazilian Portuguese. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  approving: {
    wanted: "Alguém precisa autorizar antes que você possa abrir.",
    wantedOf: (name) => `${name} precisa autorizar antes que você possa abrir.`,
    how: "Você recebe três palavras. Talvez alguém ligue e pergunte quais palavras você vê.",
    button: "Pedir autorização",
    asking: "Pedindo…",
    waiting: "Aguardando autorização",
    waitingFor: (name) => `Aguardando ${name}`,
    compare: "Quem decide vê as mesmas três palavras. Se alguém ligar e perguntar, leia as palavras.",
    three: "Três palavras",
    english: "As palavras estão em inglês.",
    goesOn: (time) => `Deixe esta página aberta: ela continua sozinha. A espera termina ${atTime(time)}.`,
    triesAgain: "Esta página tenta de novo sozinha.",
    letIn: (time) => `Você tem a autorização. Abra logo: ela termina ${atTime(time)}.`,
    refused: {
      title: "A resposta é não",
      text: "Você não abriu o segredo. Se precisar dele, fale com quem enviou e depois peça de novo.",
    },
    over: "Seu pedido não vale mais. Há uma hora para decidir e, com a autorização, 10 minutos para abrir. Peça de novo se ainda precisar do segredo.",
    again: "Pedir de novo",
    tooMany: "Já há gente demais aguardando autorização. Fale com quem enviou ou tente mais tarde.",
    elsewhere:
      "Não foi aberto nesta aba. A autorização foi para outra pessoa, ou para você em outro navegador. Se ainda precisar do segredo, fale com quem enviou.",
  },
  approval: {
    who: "Quem precisa autorizar?",
    choices: { nobody: "Ninguém", sender: "Perguntar a mim antes", team: "Outra pessoa da equipe" },
    meanings: {
      sender: "Sempre que alguém quiser abrir, a Atividade pergunta se você autoriza.",
      team: "Sempre que alguém quiser abrir, a Atividade pergunta às outras pessoas da sua equipe se autorizam. Você não pode.",
    },
    worth:
      "O servidor cuida disso. Quem administra o servidor poderia pular essa etapa, então mantenha o link em segredo.",
    required: "As regras da sua equipe pedem isso.",
    inBrief: { sender: "perguntar a mim antes", team: "outra pessoa autoriza" },
    lede: (times, when) =>
      plural(times, {
        one: `Quem tiver este link pode pedir para abrir o segredo, que abre uma vez. O link expira ${when} e não será mostrado de novo.`,
        other: `Quem tiver este link pode pedir para abrir o segredo, que abre {n} vezes. O link expira ${when} e não será mostrado de novo.`,
      }),
    message: {
      sender:
        "Para abrir, é preciso a minha autorização. Você verá três palavras: talvez eu ligue para perguntar quais são.",
      team: "Para abrir, é preciso a autorização de outra pessoa da minha equipe. Você verá três palavras: talvez essa pessoa ligue para perguntar quais são.",
    },
    decides: {
      sender:
        "Você decide quem abre. Quando alguém pedir, aparece na Atividade com três palavras que essa pessoa também vê. Não sabe quem é? Ligue e pergunte as palavras.",
      team: "Outra pessoa da sua equipe decide quem abre. Quando alguém pedir, aparece na Atividade dela, não na sua.",
    },
  },
});
