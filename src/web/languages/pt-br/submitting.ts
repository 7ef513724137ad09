import type { texts as english } from "../en/submitting.ts";
import type { Translation } from "../translations.ts";

/** What the screens say on which text and files are put together, and those of a request, in Brazilian Portuguese. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  content: {
    label: "Segredo",
    placeholder: "Uma senha, uma chave, uma nota…",
    add: "Adicionar arquivos",
    addFolder: "Adicionar pasta",
    addPhoto: "Adicionar foto",
    drop: "ou arraste arquivos para cá",
    dropNow: "Solte para adicionar",
    room: (limit) => `Até ${limit}`,
    used: (used, limit) => `${used} de ${limit}`,
    remove: (name) => `Remover ${name}`,
    removeAll: "Remover tudo",
    moreFiles: (count) => plural(count, { one: "mais {n} arquivo", other: "mais {n} arquivos" }),
    lines: (count) => plural(count, { one: "{n} linha", many: "{n} de linhas", other: "{n} linhas" }),
    longText: "Longo demais para editar aqui.",
    empty: "Digite algo ou adicione um arquivo.",
    sameName: (name) => `Já existe um arquivo chamado ${name}. Remova esse primeiro ou renomeie o outro.`,
    tooMany: "São mais de 10.000 arquivos, e ninguém conseguiria descompactá-los. Junte tudo antes em um arquivo ZIP.",
    tooLarge: (size, limit) => `É grande demais: tem ${size}, e o limite é ${limit}.`,
    fileTooLarge: (name, size, limit) => `${name} é grande demais: tem ${size}, e o limite é ${limit}.`,
    badName: (name) => `Não é possível enviar um arquivo chamado “${name}”. Renomeie primeiro.`,
    unreadable: (name) => `Não foi possível ler ${name}. Ele ainda está lá?`,
    moreRefused: (count) =>
      plural(count, {
        one: "Mais {n} arquivo não foi adicionado.",
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
    left: (time) => `Termina em cerca de ${time}`,
    waiting: "Aguardando a resposta do servidor…",
    canceling: "Cancelando…",
    cancelingText: "Se já tiver chegado, será revogado.",
    canceledBefore: "Você cancelou. Nada foi enviado.",
  },
  submit: {
    title: "Pediram dados confidenciais a você",
    titleBy: (name) => `${name} pediu dados confidenciais a você`,
    caution: "Só continue se você souber quem enviou este link.",
    label: "O que você entrega",
    placeholder: "Digite ou cole aqui",
    terms: "Só a pessoa que pediu consegue ler.",
    // A day ends with a period of its own: "30 de nov."
    until: (when) => `O link expira ${when}.`,
    left: (count) =>
      plural(count, {
        one: "Pode ser entregue {n} segredo.",
        other: "Podem ser entregues {n} segredos, um por vez.",
      }),
    button: "Entregar",
    showField: (name) => `Mostrar ${name}`,
    hideField: (name) => `Ocultar ${name}`,
    wrongValues: {
      missing: "Preencha este campo.",
      too_long: "É longo demais.",
      several_lines: "Só pode ter uma linha.",
      control_character: "Tem um caractere que não pode ser enviado.",
    },
    joined: "Você colou várias linhas, e elas viraram uma só. Confira.",
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
      text: "Agora não dá para entregar nada. Tente de novo mais tarde ou pergunte a quem enviou o link.",
    },
    fulfilled: {
      title: "Tudo já foi entregue",
      text: "O que foi pedido já foi entregue, por você ou por outra pessoa. Nada mais é aceito.",
    },
    expired: { title: "Este pedido expirou", text: "Ele não aceita mais segredos. Peça um novo link." },
    revoked: {
      title: "Este pedido foi revogado",
      text: "Ele não aceita mais segredos.",
    },
    notSent: "Seu segredo não foi enviado.",
    kept: "O que você digitou continua aqui.",
    earlierArrived:
      "Seu primeiro envio chegou, e a pessoa que pediu pode abri-lo. O que você mudou depois não foi enviado: avise a pessoa.",
    done: {
      title: "Entregue",
      text: "Só a pessoa que pediu consegue abrir. Você já pode fechar esta página.",
      hadEarlier:
        "Seu envio anterior, sem resposta, talvez também tenha chegado. Diga à pessoa que pediu qual é o certo.",
      more: "Entregar outro",
      reference: "Referência",
      referenceText: "Com ela, a pessoa que pediu encontra o segredo. Ela não serve para abrir.",
    },
  },
});
