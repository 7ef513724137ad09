import type { texts as english } from "../en/login.ts";
import type { Translation } from "../translations.ts";

/** What the screens say on which a person lets a terminal in, in Brazilian Portuguese. */
export const texts: Translation<typeof english> = () => ({
  login: {
    title: "Autorizar um terminal",
    lede: "Digite o código que o “handoff login” mostra no terminal.",
    code: "Código",
    hint: "São 8 letras. Maiúsculas e hífen não importam.",
    goOn: "Continuar",
    checking: "Verificando…",
    empty: "Digite o código primeiro.",
    malformed: "Um código tem 8 letras, como em BCDF-GHJK.",
    wrong: "Nenhum terminal espera com este código: ele tem um erro, já foi usado ou tem mais de 10 minutos.",
    signIn: {
      title: "Entre primeiro",
      text: "Só quem entrou pode autorizar um terminal. Entre em outra aba, e esta continua sozinha.",
      kept: (code) => `Esta aba guarda o código ${code}.`,
      button: "Entrar",
    },
    terminal: {
      title: "Autorizar este terminal?",
      machine: "Máquina",
      ownWord: "como ela mesma se chama",
      address: "Endereço",
      unknown: "Desconhecido",
      since: "Início",
      actsAs: "Vai agir como",
      caution:
        "Continue só se você acabou de executar “handoff login” nesta máquina. Se alguém mandou o código para você, recuse: essa pessoa poderia agir em seu nome.",
      allow: "Autorizar",
      allowing: "Autorizando…",
      refuse: "Recusar",
      refusing: "Recusando…",
    },
    allowed: {
      title: "Terminal autorizado",
      text: "Volte ao terminal. A sessão dele dura no máximo 12 horas, e só enquanto a sua estiver aberta aqui.",
    },
    refused: { title: "Terminal recusado", text: "O terminal não foi autorizado." },
    gone: {
      title: "Este terminal não espera mais",
      text: "Ele já foi autorizado ou recusado, ou o código tem mais de 10 minutos. Olhe no terminal. Se ele não tiver acesso, execute o comando de novo.",
    },
    another: "Usar outro código",
  },
});
