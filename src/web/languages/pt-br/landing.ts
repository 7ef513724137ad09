import type { texts as english } from "../en/landing.ts";
import type { Translation } from "../translations.ts";

/** What the start page says, and what signing in and out says, in Brazilian Portuguese. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  contact: "Precisa de ajuda? Fale com",
  signIn: {
    title: "Entrar",
    lede: "Seu administrador criou este link para você.",
    already: "Já há uma sessão neste navegador. O link a troca pela sessão da pessoa para quem foi criado.",
    once: "Este link funciona uma vez",
    lasts: "Depois, a sessão continua ativa neste navegador por tempo limitado.",
    own: "Só em um dispositivo seu",
    shared: "Se o computador é compartilhado, saia quando terminar.",
    asWhom: "Depois você vê de quem é a sessão.",
    button: "Entrar",
    busy: "Entrando…",
    stay: "Manter a sessão",
    signedIn: "Você já entrou",
    goOn: "Continuar",
    signedInAs: (name, team) => `Você entrou como ${name}, ${team}.`,
    until: (when) => `Sua sessão termina ${when}.`,
    notYou: "Não é você? Sair",
    faults: {
      missing: {
        title: "Entrar",
        text: "Abra inteiro o link de acesso do seu administrador, com a parte depois de #.",
      },
      cut: {
        title: "Este link de acesso está incompleto",
        text: "Copie o link inteiro da mensagem do seu administrador.",
      },
      long: {
        title: "Este link de acesso tem caracteres a mais",
        text: "Copie de novo sem eles.",
      },
      mistyped: {
        title: "Este link de acesso está digitado errado",
        text: "Copie de novo da mensagem do seu administrador.",
      },
    },
    needsHttps: {
      title: "Este navegador precisa de HTTPS para entrar",
      text: "O endereço começa com http. O Safari e alguns outros navegadores só mantêm a sessão com HTTPS. Abra o link no Chrome ou no Firefox, ou peça um endereço com HTTPS ao seu administrador. O link não foi usado aqui.",
    },
    noCookie: {
      title: "Este navegador não mantém sua sessão",
      text: "Ele recusa o cookie desta página. Permita cookies para este endereço e abra de novo o link de acesso. Se não funcionar mais, peça outro ao seu administrador.",
    },
    refused: {
      title: "Este link de acesso não funciona",
      text: "Ele expirou, já foi usado, substituído ou cancelado. Peça outro ao seu administrador.",
    },
    keepTab: "Talvez o link já tenha sido usado; nesse caso, ele só funciona nesta aba.",
  },
  signOut: {
    stillSignedIn: {
      title: "Sua sessão continua ativa",
      text: "Não foi possível contatar o servidor. Verifique sua conexão e saia de novo.",
    },
    unsavedElsewhere: {
      title: "Sair?",
      text: "Outra aba tem um texto não enviado ou um link não copiado. Isso será perdido.",
      confirm: "Sair",
    },
    losesKeys: (keys, toCollect) => ({
      title: "Sair?",
      text: [
        plural(keys, {
          one: "Este navegador vai apagar a chave privada de {n} pedido. Sem o backup dele, ninguém poderá abrir o que for entregue.",
          many: "Este navegador vai apagar as chaves privadas de {n} de pedidos. Sem os backups deles, ninguém poderá abrir o que for entregue.",
          other:
            "Este navegador vai apagar as chaves privadas de {n} pedidos. Sem os backups deles, ninguém poderá abrir o que for entregue.",
        }),
        toCollect > 0
          ? plural(toCollect, {
              one: "{n} segredo aguarda retirada.",
              many: "{n} de segredos aguardam retirada.",
              other: "{n} segredos aguardam retirada.",
            })
          : "",
      ]
        .filter(Boolean)
        .join(" "),
      confirm: "Sair",
    }),
    keysLeft: {
      title: "Sua sessão foi encerrada",
      text: "Este navegador não apagou as chaves privadas dos seus pedidos. Limpe os dados deste site nas configurações do navegador.",
    },
  },
  landing: {
    title: "Envie segredos com segurança",
    lede: "Senhas, chaves e arquivos, criptografados no seu navegador. O servidor não consegue ler.",
    link: "Recebeu um link?",
    placeholder: "Cole aqui",
    hint: "Colar ainda não abre nada. Você decide na próxima tela.",
    steps: {
      encrypted: {
        title: "Criptografado no seu dispositivo",
        text: "A chave viaja dentro do link. O servidor nunca a tem.",
      },
      kept: {
        title: "Guardado até ser aberto",
        text: "Abre quantas vezes quem enviou escolheu, uma por padrão, até expirar.",
      },
      opened: {
        title: "Entregue e depois apagado",
        text: "Quem enviou vê quando foi aberto.",
      },
    },
    send: "Quer enviar algo?",
    signIn: "Abra o link de acesso do seu administrador.",
    signInByAdmin: "Abra o link de acesso do seu administrador. Não tem conta? Peça a ele.",
    contact: "Não tem conta ou tem uma pergunta? Fale com",
    commandLine: "Linha de comando e API",
    commandLineText:
      "Com uma chave de API do seu administrador, o handoff também funciona em um terminal e em programas.",
    docs: "Documentação da API",
    manual: "Ler o manual (em inglês)",
  },
});
