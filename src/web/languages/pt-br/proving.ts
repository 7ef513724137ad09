import type { texts as english } from "../en/proving.ts";
import type { Translation } from "../translations.ts";

/** What the screens of a link that is for chosen people say, in Brazilian Portuguese. */
export const texts: Translation<typeof english> = () => ({
  proof: {
    forAddress: (address) => `Isto é para ${address}.`,
    forDomain: (domain) => `Isto é para todos os endereços de ${domain}.`,
    forSeveral: "Isto é para:",
    everyoneAt: (domain) => `Todos os endereços de ${domain}`,
    hint: "Digite seu endereço completo. Você recebe um código por e-mail e não precisa de conta.",
    hintOne: (start, end) =>
      `Digite o endereço completo: ele começa com ${start} e termina com ${end}. Você recebe um código por e-mail e não precisa de conta.`,
    sent: (address) => `Se ${address} for um dos endereços escolhidos, um e-mail com um código está a caminho.`,
    resent: (address) =>
      `Se ${address} for um dos endereços escolhidos, um e-mail com outro código está a caminho. Só o novo funciona.`,
    continue: "Continuar",
    openAs: (address) => `Abrir como ${address}`,
    continueAs: (address) => `Continuar como ${address}`,
    notFor: (address) =>
      `Você entrou como ${address}, e isto não é para esse endereço. Use outro ou pergunte a quem enviou o link.`,
    ended: "Você confirmou seu endereço há mais de 10 minutos. Peça outro código para continuar.",
    worth: "O servidor verifica seu endereço. Mesmo assim, mantenha o link em segredo.",
    thenApproval: "Depois disso, alguém ainda precisa autorizar antes que você possa abrir.",
    noMail: "Este servidor não envia e-mails. Entre nele e depois abra este link de novo.",
    signIn: "Entrar",
  },
});
