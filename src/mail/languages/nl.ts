import type { MailTexts } from "./texts.ts";

export const NL: MailTexts = {
  language: "nl",
  direction: "ltr",
  subject: "Je code voor {server}",
  asked: "Iemand heeft met dit adres een code gevraagd om in te loggen bij {server}.",
  browser: "Gevraagd in:",
  code: "Je code:",
  codeOfTeam: "Je code voor het team {team}:",
  validity: "Hij werkt één keer, {minutes} minuten lang, in de browser die erom vroeg.",
  warning: "Niemand zal je ooit om deze code vragen. Typ hem alleen op de pagina van {server}.",
  ignore: "Heb je er niet om gevraagd? Negeer deze mail dan. Zonder de code kan niemand inloggen.",
  proofAsked:
    "Iemand met een link van {server} heeft een code gevraagd, om te laten zien dat dit adres van hem of haar is.",
  proofValidity: "Hij werkt één keer, {minutes} minuten lang, op de plek waar erom is gevraagd.",
  proofWarning:
    "Niemand zal je ooit om deze code vragen. Typ hem alleen op de pagina van {server}, of in de terminal waarin je de link gebruikt.",
  proofIgnore:
    "Heb je er niet om gevraagd? Negeer deze mail dan en geef de code aan niemand. De link is voor gekozen mensen: zonder de code komt niemand verder.",
  opened: "Wat je hebt verstuurd, is geopend",
  openedLine: "Wat je op {sent} hebt verstuurd, is op {at} geopend.",
  openedAdvice: "Was het niet de ontvanger? Wijzig dan het wachtwoord of de sleutel die erin stond.",
  ending: "Niemand heeft geopend wat je hebt verstuurd",
  endingLine: "Niemand heeft geopend wat je op {sent} hebt verstuurd. Het verloopt op {at}.",
  endingAdvice: "Herinner de ontvanger eraan, of geef het meer tijd onder Status.",
  handedIn: "Iemand heeft ingeleverd waar je om vroeg",
  handedInLine: "Op {at} heeft iemand ingeleverd waar je op {sent} om vroeg.",
  handedInAdvice: "Haal het op onder Status, in de browser waarin je erom vroeg.",
  approval: "Iemand wacht op je goedkeuring",
  approvalLine: "Iemand wil openen wat op {sent} is verstuurd, en wacht tot {at} op je goedkeuring.",
  approvalAdvice:
    "Bel de persoon die je verwacht en vraag welke woorden er te zien zijn. Keur het daarna goed of weiger het onder Status.",
  approvalWords: "Te zien zijn de woorden: {words}",
  approvalAddress: "Bewezen is het adres: {address}",
  approvalNobody: "Er is geen adres bewezen.",
  several: "Nieuws over wat je verstuurde en vroeg",
  more: "Er is meer nieuws: {count}. Status toont alles.",
  ticket: "Ticket: {ticket}",
  idEnd: "De ID eindigt op {id}.",
  activity: "Status:",
  off: "Je krijgt deze mail omdat je die hebt ingeschakeld. Zulke mails uitschakelen:",
  passkey: "Er is een passkey aan je account toegevoegd",
  passkeyLine:
    "Iemand die bij {server} als jou was ingelogd, heeft een passkey aan je account toegevoegd. Daarmee kan men vanaf nu als jou inloggen.",
  passkeyBrowser: "Toegevoegd in:",
  passkeyAdvice: "Was jij dat niet? Verwijder hem in je account, log overal elders uit en vertel het je beheerder.",
  account: "Je account:",
};
