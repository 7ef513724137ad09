import type { texts as english } from "../en/opening.ts";
import type { Translation } from "../translations.ts";
import { atTime } from "./times.ts";

/** What the screens of a secret that is opened say, in Brazilian Portuguese. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  open: {
    title: "Você recebeu dados confidenciais",
    titleBy: (name) => `${name} enviou dados confidenciais para você`,
    titleHere: "Digite a frase secreta",
    files: (count) => plural(count, { one: "{n} arquivo", other: "{n} arquivos" }),
    both: (count) => plural(count, { one: "Texto e {n} arquivo", other: "Texto e {n} arquivos" }),
    times: (left) => plural(left, { one: "Abre uma vez", other: "Abre {n} vezes" }),
    moreTimes: (left) => plural(left, { one: "Abre mais {n} vez", other: "Abre mais {n} vezes" }),
    until: (when) => `Expira ${when}`,
    passphraseHint: "Peça a quem enviou o segredo. Você pode tentar quantas vezes precisar.",
    taken: "O segredo já está aqui, mas ainda protegido pela frase secreta. Não feche esta aba antes de ler.",
    takenHere:
      "O segredo já está aqui, mas ainda protegido pela frase secreta. Este navegador não consegue guardá-lo: não feche nem recarregue esta aba antes de ler.",
    notYet: "Você ainda não abriu o segredo.",
    maybe: "Talvez o segredo já tenha saído do servidor. Tente de novo agora mesmo nesta aba.",
    maybeTrying: "Talvez o segredo já tenha saído do servidor. Esta aba está tentando de novo: não a feche.",
    refusedTrying: "O servidor respondeu que o segredo continua lá. Esta aba está tentando de novo.",
    emptyPassphrase: "Digite primeiro a frase secreta.",
    spaces: "Começa ou termina com um espaço. Se não funcionar assim, será testada sem o espaço.",
    wrongPassphrase: "Essa frase secreta não funciona. Confira e tente de novo.",
    passphraseMissing:
      "Também é preciso uma frase secreta. Peça a quem enviou o link ou compare este link com o original.",
    beWary: "Não esperava por isso? Antes de abrir, pergunte a quem enviou o link.",
    beWaryOf: (name) => `Não esperava por isso? Antes de abrir, pergunte a ${name}.`,
    button: "Abrir segredo",
    opening: (percent) => (percent < 100 ? `Abrindo… ${percent}%` : "Abrindo…"),
  },
  opened: {
    text: "Segredo",
    file: "Arquivo",
    from: (name) => `De ${name}`,
    theTextIsHidden: "O texto está oculto",
    hidden: (characters) =>
      plural(characters, {
        one: "Oculto, {n} caractere",
        many: "Oculto, {n} de caracteres",
        other: "Oculto, {n} caracteres",
      }),
    lines: (count) =>
      plural(count, { one: "Texto, {n} linha", many: "Texto, {n} de linhas", other: "Texto, {n} linhas" }),
    fields: (count) => plural(count, { one: "{n} campo", other: "{n} campos" }),
    hide: "Ocultar",
    show: "Mostrar",
    showAgain: "Mostrar de novo",
    hideAll: "Ocultar tudo",
    showAll: "Mostrar tudo",
    copyAll: "Copiar tudo",
    copyThis: (name) => `Copiar ${name}`,
    copiedThis: (name) => `Você copiou ${name}`,
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
    keep: "Salve agora. Não será possível mostrar de novo.",
    keepNow: "Salve agora.",
    keepInTab: (left) => `Salve agora. Você tem ${left} para ver de novo nesta aba.`,
    keepInBrowser: (left) => `Salve agora. Você tem ${left} para ver de novo neste navegador.`,
    timeLeft: "Tempo restante",
    find: "Buscar um arquivo",
    noneFound: "Nenhum arquivo tem esse nome.",
    showMore: (count) => plural(count, { other: "Mostrar mais {n}" }),
    left: (left) =>
      plural(left, {
        one: "O link ainda pode ser aberto {n} vez.",
        other: "O link ainda pode ser aberto {n} vezes.",
      }),
    noFiles: "Não há arquivos aqui, só pastas.",
    longText: "Este é só o começo. Copiar e baixar incluem o texto inteiro.",
    textFile: "secret.txt",
    cannotOpen: "Não é possível abrir este segredo",
    undecryptable:
      "Não foi possível descriptografar: o link ou a frase secreta não corresponde, ou o conteúdo foi alterado. Peça que enviem de novo.",
    unsafe:
      "Não foi possível descompactar este segredo: o conteúdo não é seguro, é incomum ou tem arquivos demais. Peça que enviem de novo.",
    damaged:
      "Este arquivo compactado está danificado, e o conteúdo não pode ser mostrado. Você pode baixá-lo como está e pedir que enviem de novo.",
    refused: {
      version: "Esta página não conhece o formato deste segredo. Avise quem administra o servidor.",
      settings:
        "Este segredo foi criptografado com configurações que esta página recusa, porque abri-lo poderia demorar muito. Peça que enviem de novo com o handoff.",
      otherwise:
        "Este segredo foi criptografado para outra chave, e esta página não consegue abri-lo. Peça que enviem de novo.",
    },
    erase: "Pronto, apagar agora",
    erasing: "Apagando…",
    eraseFirst: (rest) => ({
      title: "Apagar sem salvar o segredo?",
      text: `Você ainda não copiou ou salvou tudo. ${rest}`,
      confirm: "Apagar",
    }),
    notAgain: "Não será possível mostrar de novo.",
    maybeNotAgain: "Talvez você não consiga abrir de novo.",
    notErased: "Não foi possível pedir ao servidor que apague. Tente de novo ou deixe o tempo acabar.",
    erased: {
      title: "Apagado",
      text: "O segredo foi apagado do servidor e desta página. Você já pode fechá-la.",
    },
    erasedHere: (rest) => ({ title: "Apagado aqui", text: `O segredo foi apagado desta página. ${rest}` }),
    canClose: "Você já pode fechá-la.",
  },
  ended: {
    titles: {
      opened: "Este segredo já foi aberto",
      openedByYou: "Você já abriu este segredo",
      expired: "Este segredo expirou",
    },
    claimed: (when) => ({
      text: `Foi aberto ${when}.`,
      warning: "Se não foi você, avise quem enviou: outra pessoa pode ter o segredo.",
    }),
    claimedTimes: (times, when) => ({
      text: plural(times, {
        one: `Foi aberto ${when}.`,
        other: `Foi aberto {n} vezes, a última ${when}.`,
      }),
      warning: "Se você não sabia disso, avise quem enviou: outra pessoa pode ter o segredo.",
    }),
    claimLost: (when, asked) => ({
      text: `Foi aberto ${when}. Esta aba tentou abri-lo ${asked}, mas a resposta nunca chegou. Peça que enviem de novo.`,
      warning: "Se os horários forem diferentes, outra pessoa pode ter o segredo.",
    }),
    openedElsewhere: (time) => `Você o abriu aqui ${atTime(time)}, em outra aba.`,
    askedElsewhere: {
      title: "Você está abrindo este segredo",
      text: "Outra aba tentou abri-lo e ainda não recebeu resposta.",
    },
    again: (left) => `Você tem ${left} para ver de novo.`,
    openedHere: (when) => `Você o abriu ${when}. Se precisar dele de novo, peça a quem enviou.`,
    openedOneOfSeveral: (when, left) =>
      plural(left, {
        one: `Você o abriu ${when}. Da última vez que você o viu aqui, o link ainda podia ser aberto {n} vez. Abra de novo o link da mensagem.`,
        other: `Você o abriu ${when}. Da última vez que você o viu aqui, o link ainda podia ser aberto {n} vezes. Abra de novo o link da mensagem.`,
      }),
    expired: (when) => `Expirou ${when}. Peça um novo link a quem enviou.`,
    neverOpened: (when) => `Expirou ${when} sem que ninguém abrisse. Peça um novo link a quem enviou.`,
    revoked: (when) => ({
      title: "Este segredo foi revogado",
      text: `Foi revogado ${when}. Se precisar dele, peça a quem enviou.`,
    }),
  },
});
