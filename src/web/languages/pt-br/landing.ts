import type { texts as english } from "../en/landing.ts";
import type { Translation } from "../translations.ts";

/** What the start page says, and what signing in and out says, in Brazilian Portuguese. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  contact: "Precisa de ajuda? Fale com",
  signIn: {
    title: "Entrar",
    lede: "Seu administrador criou este link para você.",
    already:
      "Já há uma sessão aberta neste navegador. O link troca essa sessão pela da pessoa para quem foi criado. As chaves privadas dos pedidos ficam neste navegador até você sair.",
    once: "O link funciona uma vez só. Se o computador é compartilhado, saia quando terminar.",
    button: "Entrar",
    busy: "Entrando…",
    stay: "Manter minha sessão",
    signedIn: "Você já entrou",
    goOn: "Continuar",
    signedInAs: (name, team) => `Você entrou como ${name}, ${team}.`,
    until: (when) => `Sem uso, sua sessão termina ${when}.`,
    notYou: "Não é você? Sair",
    faults: {
      missing: {
        title: "Entrar",
        text: "Abra o link de acesso inteiro que seu administrador enviou, com a parte depois de #.",
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
        title: "Este link de acesso tem um erro",
        text: "Copie de novo da mensagem do seu administrador.",
      },
    },
    needsHttps: {
      title: "Este navegador precisa de HTTPS para entrar",
      text: "O endereço começa com http. O Safari e alguns outros navegadores só mantêm a sessão com HTTPS. Abra o link no Chrome ou no Firefox, ou peça ao seu administrador um endereço com HTTPS. O link não foi usado aqui.",
    },
    noCookie: {
      title: "Este navegador não mantém sua sessão",
      text: "Ele recusa o cookie desta página. Permita cookies para este endereço e abra de novo o link de acesso. Se não funcionar mais, peça outro ao seu administrador.",
    },
    refused: {
      title: "Este link de acesso não funciona",
      text: "Ele expirou ou já foi usado, substituído ou cancelado. Peça outro ao seu administrador.",
    },
    passkey: {
      button: "Usar chave de acesso",
      unknown:
        "Esta chave de acesso não funciona aqui. Talvez tenha sido removida. Use outra ou peça um link de acesso ao seu administrador.",
      late: "Demorou demais. Tente de novo.",
      unusable:
        "Este navegador não consegue usar uma chave de acesso aqui. Abra um link de acesso do seu administrador.",
      noCookie: "Este navegador recusa o cookie desta página. Permita cookies para este endereço e tente de novo.",
    },
    keepTab: "Talvez o link já tenha sido usado; nesse caso, ele só funciona nesta aba.",
  },
  signOut: {
    stillSignedIn: {
      title: "Sua sessão continua aberta",
      text: "Não foi possível acessar o servidor. Verifique sua conexão e saia de novo.",
    },
    unsavedElsewhere: {
      title: "Sair?",
      text: "Outra aba tem um texto não enviado ou um link não copiado, que será perdido.",
      confirm: "Sair",
    },
    losesKeys: (keys, toCollect) => ({
      title: "Sair?",
      text: [
        plural(keys, {
          one: "Este navegador vai apagar a chave privada de {n} pedido. Sem o backup, ninguém poderá abrir o que for entregue.",
          other:
            "Este navegador vai apagar as chaves privadas de {n} pedidos. Sem os backups, ninguém poderá abrir o que for entregue.",
        }),
        toCollect > 0
          ? plural(toCollect, { one: "Há {n} segredo para retirar.", other: "Há {n} segredos para retirar." })
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
  nothingAllowed: {
    title: "Você ainda não pode enviar nem pedir",
    text: "Sua sessão está aberta, mas você não tem permissão para enviar, pedir ou ver a atividade. Fale com seu administrador.",
  },
  landing: {
    title: "Envie segredos com segurança",
    lede: "Senhas, chaves e arquivos, criptografados no seu navegador. O servidor não consegue ler.",
    link: "Recebeu um link? Cole aqui.",
    hint: "Você vê do que se trata antes de abrir.",
    steps: {
      encrypted: {
        title: "Lacrado aqui",
        text: "Seu navegador criptografa tudo. A chave vai no link e nunca chega ao servidor.",
      },
      kept: {
        title: "Aberto uma vez",
        text: "Funciona uma vez só, a menos que quem enviou permita mais. Depois, o servidor apaga.",
      },
      opened: {
        title: "Você sabe quando",
        text: "Quem enviou vê quando foi aberto.",
      },
    },
    signIn: "Para enviar algo, abra o link de acesso do seu administrador.",
    signInByAdmin: "Para enviar algo, você precisa de um link de acesso. Peça ao seu administrador.",
    withoutPasskey: "Ainda não tem chave de acesso? Abra o link de acesso do seu administrador.",
    withoutPasskeyByAdmin: "Ainda não tem chave de acesso? Peça um link de acesso ao seu administrador.",
    contact: "Não tem conta ou tem uma pergunta? Fale com",
    commandLine: "Linha de comando e API",
    commandLineText: "Com uma chave de API do seu administrador, o handoff também funciona no terminal e em programas.",
    docs: "Documentação da API",
  },
});
