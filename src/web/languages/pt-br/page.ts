import type { texts as english } from "../en/page.ts";
import type { Translation } from "../translations.ts";
import { atTime } from "./times.ts";

/** What every screen may say, in Brazilian Portuguese. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  language: "pt-BR",
  direction: "ltr",
  name: "handoff",
  loading: "Um momento…",
  slow: "O servidor ainda não respondeu.",
  noScript: "Ative o JavaScript para descriptografar no seu navegador.",
  frame: {
    tabs: "Principal",
    send: "Enviar",
    ask: "Pedir",
    activity: "Atividade",
    toCollect: "para retirar",
    accountOf: (name) => `Conta de ${name}`,
    signOut: "Sair",
    promise: "Criptografia de ponta a ponta. Este servidor não consegue ler o que você compartilha.",
    about: "Como funciona",
    commandLine: "Linha de comando",
    api: "API",
    contact: "Ajuda",
    imprint: "Informações legais",
    privacy: "Privacidade",
    runOn: (host) => `Você está em ${host}. Este servidor não consegue ler o que você compartilha.`,
    runBy: (name, host) => `Mantido por ${name} em ${host}. Este servidor não consegue ler o que você compartilha.`,
    language: "Idioma",
  },
  cancel: "Cancelar",
  leaving: {
    typed: {
      title: "Descartar o que você digitou?",
      text: "Ainda não foi enviado, e esta página não guarda o texto.",
      confirm: "Descartar",
    },
    link: {
      title: "Sair sem copiar o link?",
      text: "O link não será mostrado de novo.",
      confirm: "Sair",
    },
    secret: {
      title: "Fechar sem salvar o segredo?",
      text: "Você não copiou nem salvou tudo.",
      confirm: "Fechar",
    },
  },
  copy: "Copiar",
  copied: "Copiado",
  notCopied: "Este navegador não deixa a página copiar. O texto está selecionado: copie manualmente.",
  insecure: {
    title: "Esta página precisa de HTTPS",
    text: "O endereço começa com http, então alguém no caminho poderia alterar esta página e pegar o segredo. Abra com https. Se não funcionar, avise quem enviou o link.",
  },
  broken: {
    title: "Este link está incompleto",
    text: "Copie o link inteiro da mensagem.",
  },
  tooLong: {
    title: "Este link tem caracteres a mais",
    text: "Copie de novo sem eles.",
  },
  noKey: {
    title: "Falta a chave neste link",
    text: "Alguns aplicativos cortam a parte depois de #. Cole aqui o link inteiro.",
  },
  encodedKey: {
    title: "Este link mudou no caminho",
    text: "Um aplicativo trocou # por %23, e a chave foi enviada ao servidor. Por segurança, peça um novo link a quem enviou. Mesmo assim, você pode colar aqui o link inteiro.",
  },
  newerLink: {
    title: "Este link é de uma versão mais nova",
    text: "O servidor desta página é mais antigo que o link. Avise quem o administra.",
  },
  forgotten: {
    title: "Esta aba não tem mais a chave",
    text: "Abra de novo o link da mensagem.",
  },
  wrongLink: {
    title: "Este link não funciona",
    text: "Ele pode estar digitado errado ou ter terminado há muito tempo. Copie de novo o link inteiro ou peça outro a quem enviou.",
  },
  paste: {
    label: "Cole aqui o link inteiro",
    button: "Abrir",
    empty: "Cole o link primeiro.",
    noLink: "Isto não é um link do handoff. Copie de novo da mensagem.",
    noKey: "Falta a parte a partir de #. É a chave.",
    elsewhere: (host) => `Este link leva a outro servidor, ${host}. Só continue se você o conhece.`,
    openOn: (host) => `Ir para ${host}`,
  },
  tooMany: {
    title: "Tentativas demais",
    text: "Este link não funciona, e muitos outros da sua rede já falharam. Confira o link e tente de novo em um minuto.",
  },
  failed: {
    title: "Não deu certo",
    bare: "Não deu certo.",
    back: "Não deu certo, mas o servidor voltou a responder. Tente de novo.",
    network: {
      title: "Sem contato com o servidor",
      bare: "Não foi possível contatar o servidor.",
      lede: "Verifique sua conexão e tente de novo.",
      text: "Não foi possível contatar o servidor. Verifique sua conexão e tente de novo.",
    },
    busy: {
      title: "O servidor está indisponível",
      bare: "O servidor está indisponível.",
      lede: "Tente de novo em um minuto.",
      text: "O servidor está indisponível. Tente de novo em um minuto.",
    },
    answered: {
      title: "Não foi o servidor que respondeu",
      text: "Algo entre este dispositivo e o servidor respondeu no lugar dele. Sua rede pede um login antes, como em hotéis? Verifique e tente de novo.",
    },
    limited: "Chamadas demais. Tente de novo em um minuto.",
    other: "Algo deu errado. Tente de novo.",
    refused: "O servidor não aceitou. Não adianta tentar de novo: avise quem o administra.",
    stale: "Não foi possível carregar uma parte desta página. Verifique sua conexão ou recarregue a página.",
    quota: "O servidor não tem mais espaço para esta equipe. Avise quem o administra ou quem passou o link.",
    unreadable: "Não foi possível ler um arquivo. Ele ainda está lá? É um arquivo, e não uma pasta?",
    again: "Tentar de novo",
  },
  retrying: {
    limited: "Tentativas demais da sua rede.",
    again: (reason, seconds) =>
      plural(seconds, {
        one: `${reason} Nova tentativa em {n} segundo…`,
        many: `${reason} Nova tentativa em {n} de segundos…`,
        other: `${reason} Nova tentativa em {n} segundos…`,
      }),
  },
  signedOut: {
    title: "Sua sessão foi encerrada",
    text: "Sua sessão foi encerrada. Entre em outra aba e tente de novo aqui.",
  },
  otherPerson: (name) => `Agora a sessão é de ${name}. Recarregue a página para continuar.`,
  justNow: "agora mesmo",
  today: (time) => `hoje ${atTime(time)}`,
  text: "Texto",
  theText: "O texto",
  size: {
    about: (size) => `Cerca de ${size}`,
    lessThan: (size) => `Menos de ${size}`,
  },
  person: {
    knownAs: (address, team) => `O servidor conhece esta pessoa como ${address}, equipe ${team}`,
    known: (team) => `O servidor conhece esta pessoa por este nome, equipe ${team}`,
  },
  passphrase: {
    label: "Frase secreta",
    show: "Mostrar a frase secreta",
    hide: "Ocultar a frase secreta",
  },
  titles: {
    send: "Enviar um segredo",
    ask: "Pedir um segredo",
  },
});
