import type { texts as english } from "../en/opening.ts";
import type { Translation } from "../translations.ts";
import { atTime, dated } from "./times.ts";

/** What the screens of a secret that is opened say, in Brazilian Portuguese. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  open: {
    title: "Alguém enviou um segredo para você",
    titleBySender: "Enviaram um segredo para você",
    files: (count) => plural(count, { one: "{n} arquivo", many: "{n} de arquivos", other: "{n} arquivos" }),
    both: (count) =>
      plural(count, { one: "Texto e {n} arquivo", many: "Texto e {n} de arquivos", other: "Texto e {n} arquivos" }),
    times: (left) =>
      plural(left, {
        one: "Pode ser aberto uma vez.",
        many: "Pode ser aberto {n} de vezes.",
        other: "Pode ser aberto {n} vezes.",
      }),
    moreTimes: (left) =>
      plural(left, {
        one: "Pode ser aberto mais {n} vez.",
        many: "Pode ser aberto mais {n} de vezes.",
        other: "Pode ser aberto mais {n} vezes.",
      }),
    lastTime:
      "Depois disso, o link não funciona para mais ninguém. Tenha à mão um lugar seguro, como um gerenciador de senhas.",
    oneOfSeveral: "Abrir conta como uma vez.",
    until: (when) => `Expira ${dated(when)}.`,
    getPassphrase: "Peça antes a frase secreta a quem enviou.",
    tryAgain: "Ao abrir, o segredo vem para esta aba. Aqui você pode tentar quantas vezes precisar.",
    taken: "Você já abriu este link. Digite a frase secreta e deixe esta aba aberta.",
    takenHere:
      "Você já abriu este link. Este navegador não consegue guardá-lo: não feche nem recarregue esta aba até ler o segredo.",
    notYet: "Você ainda não abriu o segredo.",
    maybe: "Talvez o servidor já tenha liberado o segredo. Tente de novo agora mesmo nesta aba.",
    maybeTrying: "Talvez o servidor já tenha liberado o segredo. Esta aba está tentando de novo: não a feche.",
    refusedTrying: "O servidor respondeu que nada foi liberado. Esta aba está tentando de novo.",
    emptyPassphrase: "Digite primeiro a frase secreta.",
    spaces: "Ela começa ou termina com um espaço. Se não funcionar assim, será testada sem o espaço.",
    wrongPassphrase: "Essa frase secreta não funciona. Confira e tente de novo.",
    passphraseMissing: "Também é preciso uma frase secreta. Peça a quem enviou ou compare este link com o original.",
    beWary: "Não esperava um segredo? Pergunte a quem passou este link antes de abrir.",
    beWaryOf: (name) => `Não esperava nada de ${name}? Pergunte antes de abrir.`,
    button: "Abrir segredo",
    opening: (percent) => (percent < 100 ? `Abrindo… ${percent}%` : "Abrindo…"),
  },
  opened: {
    text: "Segredo",
    file: "Arquivo",
    from: (name) => `De ${name}`,
    theTextIsHidden: "O texto está oculto",
    hidden: "oculto",
    lines: (count) =>
      plural(count, { one: "Texto, {n} linha", many: "Texto, {n} de linhas", other: "Texto, {n} linhas" }),
    hide: "Ocultar",
    show: "Mostrar",
    showAgain: "Mostrar de novo",
    hideAll: "Ocultar tudo",
    showAll: "Mostrar tudo",
    copyAll: "Copiar tudo",
    copyThis: (name) => `Copiar ${name}`,
    copiedThis: (name) => `${name}: copiado`,
    showThis: (name) => `Mostrar ${name}`,
    hideThis: (name) => `Ocultar ${name}`,
    download: (name) => `Baixar ${name}`,
    save: "Baixar",
    saveAll: "Baixar tudo em ZIP",
    saved: (size) => `${size} · baixado`,
    archive: "secret.zip",
    notZipped: "Não foi possível criar o ZIP. Verifique sua conexão ou baixe os arquivos um a um.",
    preview: (name) => `Prévia de ${name}`,
    noPreview: "Este navegador não consegue mostrar. Baixe o arquivo.",
    more: (count) =>
      plural(count, {
        one: "Há mais {n} arquivo no ZIP.",
        many: "Há mais {n} de arquivos no ZIP.",
        other: "Há mais {n} arquivos no ZIP.",
      }),
    keep: "Salve agora o que você precisa. Não será possível mostrar de novo.",
    keepNow: "Salve agora o que você precisa.",
    keepInTab: (left) => `Salve agora o que você precisa. Você tem ${left} para mostrar de novo nesta aba.`,
    keepInBrowser: (left) => `Salve agora o que você precisa. Você tem ${left} para mostrar de novo neste navegador.`,
    left: (left) =>
      plural(left, {
        one: "O link pode ser aberto mais {n} vez.",
        many: "O link pode ser aberto mais {n} de vezes.",
        other: "O link pode ser aberto mais {n} vezes.",
      }),
    noFiles: "Não há arquivos aqui, só pastas.",
    longText: "Este é só o começo. Copiar e Baixar incluem o texto inteiro.",
    textFile: "secret.txt",
    cannotOpen: "Este segredo não pode ser aberto",
    undecryptable:
      "Não é possível descriptografar: o link ou a frase secreta não corresponde, ou o conteúdo foi alterado. Peça que enviem de novo.",
    unsafe:
      "Não é possível descompactar o conteúdo deste segredo: não é seguro, é incomum ou tem arquivos demais. Peça que enviem de novo.",
    damaged:
      "Este arquivo compactado está danificado, por isso o conteúdo não pode ser mostrado. Você pode baixá-lo como está e pedir que enviem de novo.",
    refused: {
      version: "Este segredo tem um formato que esta página não conhece. Avise quem administra o servidor.",
      settings:
        "Este segredo foi criptografado com configurações que esta página recusa, porque abri-lo poderia demorar muito. Peça que seja enviado de novo com o handoff.",
      otherwise:
        "Este segredo foi criptografado para outra chave, por isso esta página não consegue abri-lo. Peça que seja enviado de novo.",
    },
    erase: "Pronto, apagar já",
    erasing: "Apagando…",
    eraseFirst: (rest) => ({
      title: "Apagar sem salvar o segredo?",
      text: `Você não copiou nem salvou tudo. ${rest}`,
      confirm: "Apagar",
    }),
    notAgain: "Não será possível mostrar de novo.",
    maybeNotAgain: "Talvez não consiga abrir de novo.",
    notErased: "Não foi possível pedir ao servidor que apague. Tente de novo ou deixe o tempo acabar.",
    erased: {
      title: "Apagado",
      text: "O segredo não está mais no servidor nem nesta página. Você pode fechar a página.",
    },
    erasedHere: (rest) => ({ title: "Apagado aqui", text: `O segredo não está mais nesta página. ${rest}` }),
    canClose: "Você pode fechar a página.",
  },
  ended: {
    titles: {
      opened: "Este segredo já foi aberto",
      openedByYou: "Você abriu este segredo",
      expired: "Este segredo expirou",
    },
    claimed: (when) => ({
      text: `Aberto ${dated(when)}.`,
      warning: "Se não foi você, avise quem enviou: outra pessoa pode ter o segredo.",
    }),
    claimedTimes: (times, when) => ({
      text: plural(times, {
        one: `Aberto ${dated(when)}.`,
        many: `Aberto {n} de vezes, a última ${dated(when)}.`,
        other: `Aberto {n} vezes, a última ${dated(when)}.`,
      }),
      warning: "Se você não sabe disso, avise quem enviou: outra pessoa pode ter o segredo.",
    }),
    claimLost: (when, asked) => ({
      text: `Aberto ${dated(when)}. Esta aba tentou abri-lo ${dated(asked)}, e a resposta nunca chegou. Peça que enviem de novo.`,
      warning: "Se os horários forem diferentes, outra pessoa pode ter o segredo.",
    }),
    openedElsewhere: (time) => `Você o abriu aqui ${atTime(time)}, em outra aba.`,
    askedElsewhere: {
      title: "Você está abrindo este segredo",
      text: "Outra aba já tentou abri-lo e ainda não recebeu resposta.",
    },
    again: (left) => `Você tem ${left} para mostrar de novo.`,
    openedHere: (when) => `Aberto ${dated(when)}. Se precisar de novo, peça a quem enviou.`,
    openedOneOfSeveral: (when, left) =>
      plural(left, {
        one: `Aberto ${dated(when)}. Da última vez que ele esteve aqui, o link podia ser aberto mais 1 vez. Abra-o de novo pela mensagem.`,
        other: `Aberto ${dated(when)}. Da última vez que ele esteve aqui, o link podia ser aberto mais {n} vezes. Abra-o de novo pela mensagem.`,
      }),
    expired: (when) => `Expirou ${dated(when)}. Peça um novo link a quem enviou.`,
    neverOpened: (when) => `Expirou ${dated(when)} e nunca foi aberto. Peça um novo link a quem enviou.`,
    revoked: (when) => ({
      title: "Este segredo foi revogado",
      text: `Revogado ${dated(when)}. Se precisar dele, peça a quem enviou.`,
    }),
  },
});
