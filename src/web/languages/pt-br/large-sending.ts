import type { texts as english } from "../en/large-sending.ts";
import type { Translation } from "../translations.ts";

/** What the screens say while a secret is sent in pieces, in Brazilian Portuguese. */
export const texts: Translation<typeof english> = () => ({
  largeSending: {
    keepOpen:
      "Cada parte é criptografada antes de sair. Mantenha esta aba aberta. Se a conexão cair ou o aparelho entrar em repouso, o envio continua de onde parou.",
    rate: (size) => `${size}/s`,
    line: {
      title: "Não foi possível acessar o servidor",
      text: "O envio continua de onde parou assim que a conexão voltar. Mantenha esta aba aberta.",
    },
    server: {
      title: "Aguardando o servidor",
      text: "O servidor está indisponível. O envio continua de onde parou assim que for possível. Mantenha esta aba aberta.",
    },
    storage: {
      title: "Aguardando o servidor",
      text: "O servidor não consegue gravar nada agora: o disco dele pode estar cheio. O envio continua de onde parou assim que for possível. Mantenha esta aba aberta.",
    },
    tryNow: "Tentar agora",
    stopped: "Você cancelou, então não há link. O servidor remove o que chegou, no máximo depois de um dia.",
    ended: "O servidor encerrou o envio, então não há link. O que você escolheu ainda está aqui: envie de novo.",
    stoppedHandIn: "Você cancelou, então nada foi entregue. O servidor apaga o que chegou, no máximo depois de um dia.",
    maybeHandedIn: "Você cancelou, mas talvez já tenha sido entregue. Pergunte à pessoa que pediu.",
    endedHandIn:
      "O servidor encerrou o envio, então nada foi entregue. O que você escolheu ainda está aqui: entregue de novo.",
  },
});
