import type { texts as english } from "../en/account.ts";
import type { Translation } from "../translations.ts";

/** What a person's account says, in Brazilian Portuguese. */
export const texts: Translation<typeof english> = ({ number }) => ({
  account: {
    browserOn: (browser, system) => `${browser} no ${system}`,
    unknownBrowser: "Navegador desconhecido",
    actionOn: (action, name) => `${action}: ${name}`,
    passkeys: {
      title: "Chaves de acesso",
      what: "Com uma chave de acesso, você entra com a digital, o rosto ou um PIN, sem link.",
      none: "Você ainda não tem chave de acesso.",
      unsupported: "Este navegador não consegue usar chaves de acesso.",
      most: (count) => `Você tem ${number(count)} chaves de acesso, o máximo. Remova uma antes de adicionar outra.`,
      added: (when) => `Adicionada ${when}`,
      used: (when) => `Usada pela última vez ${when}`,
      unused: "Ainda não usada",
      add: "Adicionar chave",
      adding: "Adicionando…",
      isAdded: "A chave de acesso foi adicionada.",
      remove: "Remover",
      removing: "Removendo…",
      isRemoved: "A chave de acesso foi removida.",
      sure: {
        title: "Remover esta chave de acesso?",
        text: "Você não poderá mais entrar com ela. Seu dispositivo talvez a guarde até você apagar lá.",
        confirm: "Remover",
      },
      known: "Você já tem uma chave de acesso lá.",
      refused: "O servidor não aceitou a chave de acesso. Tente de novo.",
      unusable: "Este navegador não consegue adicionar uma chave de acesso aqui. Tente com outro navegador.",
      offer: "Para não precisar de link na próxima vez, adicione uma chave de acesso.",
      later: "Agora não",
    },
    notices: {
      title: "E-mails",
      what: (address) => `Estes e-mails vão para ${address}.`,
      opened: "Quando algo que você enviou é aberto",
      ending: "Um dia antes de expirar algo que ninguém abriu",
      handedIn: "Quando alguém entrega algo",
      asked: "Quando alguém espera a sua aprovação",
      isSaved: "Salvo.",
      whereSent: "Enviar um e-mail quando algo que eu enviar for aberto",
      whereAsked: "Enviar um e-mail quando alguém esperar a minha aprovação",
    },
    sessions: {
      title: "Suas sessões abertas",
      here: "Este navegador",
      since: (when) => `Aberta ${when}`,
      used: (when) => `Usada pela última vez ${when}`,
      signOut: "Sair",
      signingOut: "Saindo…",
      isSignedOut: "Essa sessão foi encerrada.",
      others: "Sair das outras",
      areSignedOut: "As outras sessões foram encerradas.",
    },
  },
  again: {
    titles: {
      add: "Entre de novo para adicionar uma chave de acesso",
      remove: "Entre de novo para remover uma chave de acesso",
      terminal: "Entre de novo para autorizar um terminal",
    },
    text: "Você entrou há mais de 15 minutos. Entrar de novo mostra que ainda é você.",
    otherwise: "Se nada disso for possível, peça ao administrador um link de acesso e abra-o neste navegador.",
    back: "Voltar",
  },
});
