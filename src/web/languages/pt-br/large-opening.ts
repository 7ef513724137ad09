import type { texts as english } from "../en/large-opening.ts";
import type { Translation } from "../translations.ts";

/** What the screens of a large secret that is opened say, in Portuguese. */
export const texts: Translation<typeof english> = () => ({
  largeOpening: {
    noRoom: (size) =>
      `Este navegador não tem espaço para ${size}. Libere espaço e recarregue esta página, ou abra o link com o comando “handoff open”. Você ainda não abriu o segredo.`,
    noRoomToCollect: (size) =>
      `Este navegador não tem espaço para ${size}. Libere espaço e tente de novo, ou abra na linha de comando: digite “handoff collect -” e cole o link de backup deste pedido.`,
    unable:
      "Este navegador não consegue guardar um segredo tão grande. Em janelas anônimas isso costuma acontecer. Copie o link de onde você o recebeu e abra-o em outro navegador ou com o comando “handoff open”. Você ainda não abriu o segredo.",
    locked:
      "O servidor entregou o segredo a esta aba. Ele ainda está protegido pela frase secreta. Não feche esta aba antes de abri-lo.",
    progressLabel: "Abrindo",
    progress: (done, total) => `${done} de ${total}`,
    rate: (size) => `${size}/s`,
    left: (time) => `faltam ${time}`,
    keepOpen: "Não feche esta aba até que tudo tenha chegado.",
    stop: "Parar",
    stopped: "Parado. O que tinha chegado foi apagado.",
    unwritable:
      "Este navegador não consegue guardar o segredo: talvez o disco esteja cheio. O que tinha chegado foi apagado.",
    again: (time) => `Você pode abri-lo de novo nesta aba até ${time}.`,
    damaged: "Este segredo foi cortado ou alterado, por isso nada dele é mostrado. Peça que enviem de novo.",
    saveAll: "Baixar tudo",
    zipping: (percent) => `Criando o ZIP… ${percent}%`,
    stored: "Este navegador o guarda no seu dispositivo até você fechar esta página. Espere seus downloads terminarem.",
    gone: "Este navegador não tem mais o arquivo. Se ainda houver tempo, recarregue esta página para obtê-lo de novo.",
  },
});
