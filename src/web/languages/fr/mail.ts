import type { texts as english } from "../en/mail.ts";
import type { Translation } from "../translations.ts";

/** What the start page says where people sign in with a code by mail, in French. */
export const texts: Translation<typeof english> = () => ({
  mail: {
    address: "Votre adresse e-mail",
    send: "Recevoir un code",
    sending: "Envoi…",
    noAccount: "Vous recevez un code par e-mail. Pas de compte ? Demandez à votre administrateur.",
    empty: "Saisissez d’abord votre adresse.",
    malformed: "Une adresse ressemble à ann@example.com.",
    sent: (address) => `Si ${address} est connue ici, un code est en route.`,
    hint: "Il a 8 chiffres et fonctionne pendant 10 minutes, dans ce navigateur. Pas d’e-mail ? Regardez dans les courriers indésirables.",
    code: "Code reçu par e-mail",
    emptyCode: "Saisissez d’abord le code.",
    malformedCode: "Un code a 8 chiffres.",
    wrong: "Ce code ne fonctionne pas. Prenez celui du dernier e-mail. Après 5 codes faux, il en faut un autre.",
    over: "Il a expiré, a déjà servi, ou 5 codes faux ont été saisis. Demandez un autre code.",
    another: "Envoyer un autre code",
    resent: (address) => `Si ${address} est connue ici, un autre code est en route. Seul le nouveau fonctionne.`,
    otherAddress: "Autre adresse",
    limited: "Trop de codes ont été demandés. Réessayez dans un quart d’heure.",
  },
});
