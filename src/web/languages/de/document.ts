import type { texts as english } from "../en/document.ts";

/** What a document says without its script, in German. */
export const texts: typeof english = {
  noScript: {
    title: "Diese Seite braucht JavaScript",
    text: "Schalten Sie JavaScript ein, damit Ihr Browser entschlüsseln kann, und laden Sie die Seite neu. Oder öffnen Sie den Link in einem aktuellen Chrome, Edge, Firefox oder Safari.",
  },
  late: {
    title: "Diese Seite ist noch nicht geladen",
    text: "Ein Teil ist noch unterwegs oder nicht angekommen. Laden Sie die Seite neu. Wenn das nicht hilft, blockiert vielleicht etwas ihr JavaScript: Öffnen Sie den Link in einem anderen Browser.",
  },
  nowhere: {
    title: "Unter dieser Adresse gibt es nichts",
    text: "Vielleicht enthält sie einen Tippfehler oder ist unvollständig. Kopieren Sie den ganzen Link noch einmal.",
    start: "Zur Startseite",
  },
  mailOff: {
    title: "Diese Mails ausschalten?",
    text: "Sie sagen Ihnen, was mit Ihren Sendungen und Anfragen geschieht.",
    button: "Ausschalten",
  },
  mailIsOff: { title: "Diese Mails sind aus", text: "Sie können sie in Ihrem Konto wieder einschalten." },
  mailOffStale: {
    title: "Dieser Link schaltet nichts aus",
    text: "Er ist unvollständig, oder die Mails wurden seitdem wieder eingeschaltet. Nehmen Sie den Link in der neuesten Mail, oder wählen Sie in Ihrem Konto.",
  },
};
