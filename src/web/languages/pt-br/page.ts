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
  frame: {
    promise: "Criptografado no seu navegador. Este servidor não consegue ler.",
    about: "Como funciona",
    commandLine: "Linha de comando",
    api: "API",
    contact: "Ajuda",
    imprint: "Aviso legal",
    privacy: "Privacidade",
    runOn: (host) => `Você está em ${host}. Este servidor não consegue ler o que você compartilha.`,
    runBy: (name, host) => `Um serviço de ${name} em ${host}. O servidor não consegue ler o que você compartilha.`,
    language: "Idioma",
  },
  cancel: "Cancelar",
  leaving: {
    typed: {
      title: "Descartar o que você digitou?",
      text: "Ainda não foi enviado, e esta página não guarda nada.",
      confirm: "Descartar",
    },
    link: {
      title: "Sair sem copiar o link?",
      text: "O link não será mostrado de novo.",
      confirm: "Sair",
    },
    secret: {
      title: "Fechar sem salvar o segredo?",
      text: "Você ainda não copiou ou salvou tudo.",
      confirm: "Fechar",
    },
  },
  copy: "Copiar",
  copied: "Copiado",
  notCopied: "Este navegador não deixa a página copiar. O texto está selecionado: copie manualmente.",
  insecure: {
    title: "Esta página precisa de HTTPS",
    text: "O endereço começa com http: alguém poderia interceptar a conexão, alterar esta página e pegar o segredo. Abra com https. Se não funcionar, avise quem enviou o link.",
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
    text: "Alguns apps cortam a parte depois de #. Cole aqui o link inteiro.",
  },
  encodedKey: {
    title: "Este link mudou no caminho",
    text: "Um app trocou # por %23, e a chave chegou ao servidor. Por segurança, peça um novo link a quem enviou. Se preferir continuar, cole aqui o link inteiro.",
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
    text: "Ele pode ter um erro ou já não existir há muito tempo. Copie de novo o link inteiro ou peça outro a quem enviou.",
  },
  paste: {
    label: "Cole aqui o link inteiro",
    button: "Abrir",
    empty: "Cole o link primeiro.",
    noLink: "Isto não é um link do handoff. Copie de novo da mensagem.",
    noKey: "Falta a parte que começa com #: é a chave.",
    kinds: {
      secret: "Este link abre um segredo.",
      request: "Este é o link de um pedido: serve para entregar algo.",
      backup: "Este é um link de backup: abre o que foi entregue.",
    },
    elsewhere: (host) => `Este link leva a outro servidor, ${host}. Só continue se você o conhece.`,
    openOn: (host) => `Ir para ${host}`,
  },
  tooMany: {
    title: "Tentativas demais",
    text: "Este link não funciona, e houve tentativas demais na sua rede. Confira o link e tente de novo em um minuto.",
  },
  failed: {
    title: "Não deu certo",
    bare: "Não deu certo.",
    back: "Não deu certo, mas o servidor voltou a responder. Tente de novo.",
    network: {
      title: "Não foi possível acessar o servidor",
      bare: "Não foi possível acessar o servidor.",
      lede: "Verifique sua conexão e tente de novo.",
      text: "Não foi possível acessar o servidor. Verifique sua conexão e tente de novo.",
    },
    busy: {
      title: "O servidor está indisponível",
      bare: "O servidor está indisponível.",
      lede: "Tente de novo em um minuto.",
      text: "O servidor está indisponível. Tente de novo em um minuto.",
    },
    answered: {
      title: "Não foi o servidor que respondeu",
      text: "Outro sistema respondeu no lugar dele. Sua rede pede um login antes, como em hotéis? Verifique e tente de novo.",
    },
    limited: "Ações demais em pouco tempo. Tente de novo em um minuto.",
    other: "Algo deu errado. Tente de novo.",
    refused: "O servidor não aceitou. Não adianta tentar de novo: avise quem o administra.",
    stale: "Não foi possível carregar uma parte desta página. Verifique sua conexão ou recarregue a página.",
    quota: "Não resta espaço suficiente para esta equipe no servidor. Envie algo menor ou peça mais espaço.",
    again: "Tentar de novo",
  },
  retrying: {
    limited: "Tentativas demais na sua rede.",
    again: (reason, seconds) =>
      plural(seconds, {
        one: `${reason} Nova tentativa em {n} segundo…`,
        other: `${reason} Nova tentativa em {n} segundos…`,
      }),
  },
  signedOut: {
    title: "Sua sessão foi encerrada",
    text: "Sua sessão foi encerrada. Entre de novo em outra aba e tente outra vez aqui.",
  },
  otherPerson: (name) => `Agora a sessão é de ${name}. Recarregue a página para continuar.`,
  justNow: "agora há pouco",
  onDay: (day) => `em ${day}`,
  atTime: (day, time) => `${day} ${atTime(time)}`,
  timeLeft: (duration) => (/^1\b/.test(duration) ? `Resta ${duration}` : `Restam ${duration}`),
  text: "Texto",
  theText: "O texto",
  size: {
    about: (size) => `Cerca de ${size}`,
    lessThan: (size) => `Menos de ${size}`,
  },
  person: {
    according: "segundo este servidor",
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
