import type { MailTexts } from "./texts.ts";

export const FR: MailTexts = {
  language: "fr",
  direction: "ltr",
  subject: "Votre code pour {server}",
  asked: "Quelqu’un a demandé un code pour se connecter à {server} avec cette adresse.",
  browser: "Demandé dans :",
  code: "Votre code :",
  codeOfTeam: "Votre code pour l’équipe {team} :",
  validity: "Il fonctionne une fois, pendant {minutes} minutes, dans le navigateur qui l’a demandé.",
  warning: "Personne ne vous demandera jamais ce code. Saisissez-le uniquement sur la page de {server}.",
  ignore: "Si vous ne l’avez pas demandé, ignorez cet e-mail. Personne ne peut se connecter sans le code.",
  proofAsked: "Quelqu’un qui a un lien de {server} a demandé un code, pour montrer que cette adresse est la sienne.",
  proofValidity: "Il fonctionne une fois, pendant {minutes} minutes, là où il a été demandé.",
  proofWarning:
    "Personne ne vous demandera jamais ce code. Saisissez-le uniquement sur la page de {server}, ou dans le terminal où vous utilisez le lien.",
  proofIgnore:
    "Si vous ne l’avez pas demandé, ignorez cet e-mail et ne donnez le code à personne. Le lien est réservé à certaines personnes : sans le code, personne ne va plus loin.",
  opened: "Votre envoi a été ouvert",
  openedLine: "Votre envoi du {sent} a été ouvert le {at}.",
  openedAdvice: "Si ce n’était pas le destinataire, changez le mot de passe ou la clé qu’il contenait.",
  ending: "Personne n’a ouvert votre envoi",
  endingLine: "Personne n’a ouvert votre envoi du {sent}. Il expire le {at}.",
  endingAdvice: "Relancez le destinataire, ou prolongez l’envoi dans Suivi.",
  handedIn: "Quelqu’un a déposé ce que vous aviez demandé",
  handedInLine: "Le {at}, quelqu’un a déposé ce que vous aviez demandé le {sent}.",
  handedInAdvice: "Récupérez-le dans Suivi, dans le navigateur où vous l’avez demandé.",
  approval: "Quelqu’un attend votre accord",
  approvalLine: "Quelqu’un veut ouvrir l’envoi du {sent} et attend votre accord jusqu’au {at}.",
  approvalAdvice:
    "Appelez la personne que vous attendez et demandez-lui quels mots elle voit. Puis acceptez ou refusez dans Suivi.",
  approvalWords: "Cette personne voit les mots : {words}",
  approvalAddress: "Cette personne a prouvé l’adresse : {address}",
  approvalNobody: "Cette personne n’a prouvé aucune adresse.",
  several: "Du nouveau pour vos envois et vos demandes",
  more: "Autres nouvelles : {count}. Suivi les montre toutes.",
  ticket: "Ticket : {ticket}",
  idEnd: "L’identifiant se termine par {id}.",
  activity: "Suivi :",
  off: "Vous recevez cet e-mail parce que vous l’avez activé. Désactiver ces e-mails :",
  passkey: "Une clé d’accès a été ajoutée à votre compte",
  passkeyLine:
    "Une personne connectée en votre nom sur {server} a ajouté une clé d’accès à votre compte. Elle permet désormais de se connecter en votre nom.",
  passkeyBrowser: "Ajoutée dans :",
  passkeyAdvice:
    "Si ce n’était pas vous, supprimez-la dans votre compte, déconnectez toutes les autres sessions et prévenez votre admin.",
  account: "Votre compte :",
};
