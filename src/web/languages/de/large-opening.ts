import type { texts as english } from "../en/large-opening.ts";
import type { Translation } from "../translations.ts";

/** What the screens of a large secret that is opened say, in German. */
export const texts: Translation<typeof english> = () => ({
  largeOpening: {
    noRoom: (size) =>
      `Dieser Browser hat keinen Platz für ${size}. Schaffen Sie Platz und laden Sie diese Seite neu, oder öffnen Sie den Link mit dem Befehl „handoff open“. Sie haben den Inhalt noch nicht geöffnet.`,
    noRoomToCollect: (size) =>
      `Dieser Browser hat keinen Platz für ${size}. Schaffen Sie Platz und versuchen Sie es erneut, oder öffnen Sie es auf der Kommandozeile: Geben Sie „handoff collect -“ ein und fügen Sie den Sicherungslink dieser Anfrage ein.`,
    unable:
      "Dieser Browser kann so große Inhalte nicht speichern. In privaten Fenstern geht das oft nicht. Kopieren Sie den Link von dort, wo Sie ihn bekommen haben, und öffnen Sie ihn in einem anderen Browser oder mit dem Befehl „handoff open“. Sie haben den Inhalt noch nicht geöffnet.",
    locked:
      "Der Server hat den Inhalt für diesen Tab freigegeben. Er ist noch mit der Passphrase verschlossen. Lassen Sie diesen Tab offen, bis Sie ihn geöffnet haben.",
    progressLabel: "Öffnen",
    progress: (done, total) => `${done} von ${total}`,
    rate: (size) => `${size}/s`,
    left: (time) => `noch ${time}`,
    keepOpen: "Lassen Sie diesen Tab offen, bis alles da ist.",
    stop: "Abbrechen",
    stopped: "Abgebrochen. Was schon da war, wurde gelöscht.",
    unwritable:
      "Dieser Browser kann den Inhalt nicht speichern: Vielleicht ist der Datenträger voll. Was schon da war, wurde gelöscht.",
    again: (time) => `Sie können den Inhalt in diesem Tab bis ${time} Uhr erneut öffnen.`,
    damaged:
      "Dieser Inhalt wurde abgeschnitten oder verändert, deshalb wird nichts davon gezeigt. Bitten Sie darum, ihn noch einmal zu senden.",
    saveAll: "Alle herunterladen",
    zipping: (percent) => `ZIP wird erstellt … ${percent} %`,
    stored:
      "Dieser Browser bewahrt den Inhalt auf Ihrem Gerät auf, bis Sie diese Seite schließen. Warten Sie damit, bis alles heruntergeladen ist.",
    gone: "Dieser Browser hat die Datei nicht mehr. Laden Sie diese Seite neu, um sie noch einmal zu holen, solange Zeit bleibt.",
  },
});
