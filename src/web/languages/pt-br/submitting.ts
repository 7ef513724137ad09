import type { texts as english } from "../en/submitting.ts";
import type { Translation } from "../translations.ts";
import { dated } from "./times.ts";

/** What the screens say on which text and files are put together, and those of a request, in Brazilian Portuguese. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  content: {
    label: "Segredo",
    placeholder: "Uma senha, uma chave, uma nota…",
    add: "Adicionar arquivos",
    addFolder: "Adicionar pasta",
    addPhoto: "Adicionar foto",
    drop: "ou solte arquivos em qualquer lugar",
    dropNow: "Solte para adicionar",
    room: (limit) => `Até ${limit}`,
    used: (used, limit) => `${used} de ${limit}`,
    remove: (name) => `Remover ${name}`,
    removeAll: "Remover tudo",
    moreFiles: (count) =>
      plural(count, { one: "mais {n} arquivo", many: "mais {n} de arquivos", other: "mais {n} arquivos" }),
    lines: (count) => plural(count, { one: "{n} linha", many: "{n} de linhas", other: "{n} linhas" }),
    longText: "Longo demais para editar aqui.",
    empty: "Digite algo ou adicione um arquivo.",
    sameName: (name) => `Já existe um arquivo chamado ${name}. Remova-o antes ou renomeie o outro.`,
    tooMany:
      "São mais de 10.000 arquivos, e ninguém conseguiria descompactá-los. Junte-os antes em um arquivo compactado.",
    tooLarge: (size, limit) => `É grande demais: tem ${size}, e o limite é ${limit}.`,
    fileTooLarge: (name, size, limit) => `${name} é grande demais: tem ${size}, e o limite é ${limit}.`,
    badName: (name) => `Não é possível enviar um arquivo com o nome “${name}”. Renomeie antes.`,
    unreadable: (name) => `Não foi possível ler ${name}. Ainda está lá?`,
    moreRefused: (count) =>
      plural(count, {
        one: "Mais {n} arquivo não foi adicionado.",
        many: "Mais {n} de arquivos não foram adicionados.",
        other: "Mais {n} arquivos não foram adicionados.",
      }),
    shortcut: (keys) => `ou pressione ${keys}`,
  },
  delivery: {
    encrypting: "Criptografando…",
    encryptingText: "O segredo ainda não foi enviado.",
    sending: "Enviando…",
    sendingText: "Já está criptografado. Deixe esta página aberta até terminar.",
    progress: "Enviado",
    left: (time) => `Tempo restante: cerca de ${time}`,
    waiting: "Aguardando a resposta do servidor…",
    canceling: "Cancelando…",
    cancelingText: "Se já chegou, é revogado.",
    canceledBefore: "Você cancelou. Nada foi enviado.",
  },
  submit: {
    title: "Pediram um segredo a você",
    titleBy: (name) => `${name} pede um segredo`,
    caution: "Só continue se você sabe quem enviou este link.",
    cautionHelp: "Na dúvida, ligue para a pessoa em um número que você já tem.",
    label: "O que você entrega",
    placeholder: "Digite ou cole aqui",
    terms: (when) => `Só a pessoa que pediu consegue ler. Você não precisa de conta. O link expira ${dated(when)}.`,
    left: (count) =>
      plural(count, {
        one: "Ainda pode ser entregue {n} segredo.",
        many: "Ainda podem ser entregues {n} de segredos, um por vez.",
        other: "Ainda podem ser entregues {n} segredos, um por vez.",
      }),
    button: "Entregar",
    canceled:
      "Você cancelou, mas talvez já tenha chegado. Para ter certeza, entregue de novo sem mudar nada: assim conta uma vez só.",
    swapped: {
      title: "Pare: não envie nada",
      text: "O link está danificado, ou o servidor está tentando ler o que você envia. Nada foi enviado. Copie de novo o link inteiro. Se não adiantar, avise quem enviou.",
    },
    noteBroken:
      "Não foi possível ler a nota deste pedido. O link está danificado, ou o servidor a alterou. Nada foi enviado.",
    paused: {
      title: "Este pedido está em pausa",
      text: "Agora não é possível entregar nada. Tente de novo mais tarde ou pergunte a quem enviou o link.",
    },
    fulfilled: {
      title: "Já foi entregue",
      text: "Você ou outra pessoa já entregou tudo o que foi pedido. Nada mais é aceito.",
    },
    expired: { title: "Este pedido expirou", text: "Ele não aceita mais segredos. Peça um novo link." },
    revoked: {
      title: "Este pedido foi revogado",
      text: "Ele não aceita mais segredos.",
    },
    notSent: "Seu segredo não foi enviado.",
    kept: "O que você digitou ainda está aqui.",
    earlierArrived:
      "O que você enviou primeiro chegou, e a pessoa que pediu pode abrir. O que você mudou depois não foi enviado: avise-a.",
    done: {
      title: "Entregue",
      text: "Está criptografado, e só a pessoa que pediu pode abrir. Você pode fechar esta página.",
      hadEarlier:
        "O que você enviou antes, sem resposta, talvez também tenha chegado. Diga à pessoa que pediu qual é o certo.",
      more: "Entregar outro",
      reference: "Referência",
      referenceText: "Ajuda se a pessoa que pediu não encontrar. Ela não abre nada.",
    },
  },
});
