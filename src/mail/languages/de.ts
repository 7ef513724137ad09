import type { MailTexts } from "./texts.ts";

export const DE: MailTexts = {
  language: "de",
  direction: "ltr",
  subject: "Ihr Code für {server}",
  asked: "Jemand hat mit dieser Adresse einen Code angefordert, um sich bei {server} anzumelden.",
  browser: "Angefordert in:",
  code: "Ihr Code:",
  codeOfTeam: "Ihr Code für das Team {team}:",
  validity: "Er gilt einmal, {minutes} Minuten lang, in dem Browser, der ihn angefordert hat.",
  warning: "Niemand wird Sie je nach diesem Code fragen. Geben Sie ihn nur auf der Seite von {server} ein.",
  ignore: "Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese Mail. Ohne den Code kann sich niemand anmelden.",
  proofAsked:
    "Jemand mit einem Link auf {server} hat einen Code angefordert, um zu zeigen, dass diese Adresse die eigene ist.",
  proofValidity: "Er gilt einmal, {minutes} Minuten lang, dort, wo er angefordert wurde.",
  proofWarning:
    "Niemand wird Sie je nach diesem Code fragen. Geben Sie ihn nur auf der Seite von {server} ein, oder in dem Terminal, in dem Sie den Link verwenden.",
  proofIgnore:
    "Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese Mail und geben Sie den Code niemandem. Der Link ist für ausgewählte Personen: Ohne den Code kommt niemand weiter.",
  opened: "Ihre Sendung wurde geöffnet",
  openedLine: "Was Sie am {sent} gesendet haben, wurde am {at} geöffnet.",
  openedAdvice: "Wenn das nicht der Empfänger war, ändern Sie das Passwort oder den Schlüssel, der darin war.",
  ending: "Ihre Sendung hat noch niemand geöffnet",
  endingLine: "Was Sie am {sent} gesendet haben, hat noch niemand geöffnet. Es läuft am {at} ab.",
  endingAdvice: "Erinnern Sie den Empfänger, oder verlängern Sie die Zeit im Verlauf.",
  handedIn: "Jemand hat abgegeben, worum Sie gebeten haben",
  handedInLine: "Am {at} hat jemand abgegeben, worum Sie am {sent} gebeten haben.",
  handedInAdvice: "Holen Sie es im Verlauf ab, in dem Browser, in dem Sie darum gebeten haben.",
  approval: "Jemand wartet auf Ihre Zustimmung",
  approvalLine: "Jemand möchte die Sendung vom {sent} öffnen und wartet bis zum {at} auf Ihre Zustimmung.",
  approvalAdvice:
    "Rufen Sie die Person an, die Sie erwarten, und fragen Sie, welche Wörter sie sieht. Stimmen Sie dann im Verlauf zu, oder lehnen Sie ab.",
  approvalWords: "Dort zu sehen sind die Wörter: {words}",
  approvalAddress: "Nachgewiesen wurde die Adresse: {address}",
  approvalNobody: "Es wurde keine Adresse nachgewiesen.",
  several: "Neues zu Ihren Sendungen und Anfragen",
  more: "Weitere Neuigkeiten: {count}. Der Verlauf zeigt alle.",
  ticket: "Ticket: {ticket}",
  idEnd: "Die ID endet auf {id}.",
  activity: "Verlauf:",
  off: "Sie bekommen diese Mail, weil Sie sie eingeschaltet haben. Solche Mails ausschalten:",
  passkey: "Zu Ihrem Konto kam ein Passkey hinzu",
  passkeyLine:
    "Jemand, der bei {server} als Sie angemeldet war, hat Ihrem Konto einen Passkey hinzugefügt. Damit kann man sich von jetzt an als Sie anmelden.",
  passkeyBrowser: "Hinzugefügt in:",
  passkeyAdvice:
    "Wenn Sie das nicht waren, entfernen Sie ihn in Ihrem Konto, melden Sie sich überall sonst ab, und sagen Sie es Ihrem Admin.",
  account: "Ihr Konto:",
};
