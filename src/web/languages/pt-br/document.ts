import type { texts as english } from "../en/document.ts";

/** What a document says without its script, in Brazilian Portuguese. */
export const texts: typeof english = {
  noScript: {
    title: "Esta página precisa de JavaScript",
    text: "Ative o JavaScript para descriptografar no seu navegador e recarregue a página. Ou abra o link em uma versão atual do Chrome, Edge, Firefox ou Safari.",
  },
  late: {
    title: "Esta página ainda não carregou",
    text: "Uma parte ainda está a caminho ou não chegou. Recarregue a página. Se não adiantar, algo pode estar bloqueando o JavaScript: abra o link em outro navegador.",
  },
  nowhere: {
    title: "Não há nada neste endereço",
    text: "Ele pode ter um erro de digitação ou estar incompleto. Copie o link inteiro de novo.",
    start: "Ir para a página inicial",
  },
  mailOff: {
    title: "Desativar estes e-mails?",
    text: "Eles contam o que acontece com o que você envia e pede.",
    button: "Desativar",
  },
  mailIsOff: { title: "Estes e-mails estão desativados", text: "Você pode ativá-los de novo na sua conta." },
  mailOffStale: {
    title: "Este link não desativa nada",
    text: "Ele está incompleto, ou estes e-mails foram reativados depois. Use o link do e-mail mais recente ou escolha na sua conta.",
  },
};
