import type { texts as english } from "../en/mail.ts";
import type { Translation } from "../translations.ts";

/** What the start page says where people sign in with a code by mail, in Brazilian Portuguese. */
export const texts: Translation<typeof english> = () => ({
  mail: {
    address: "Seu e-mail",
    send: "Receber um código",
    sending: "Enviando…",
    noAccount: "Você recebe um código por e-mail. Não tem conta? Fale com o administrador.",
    empty: "Digite seu e-mail primeiro.",
    malformed: "Um endereço é como ann@example.com.",
    sent: (address) => `Se ${address} for conhecido aqui, um código está a caminho.`,
    hint: "Ele tem 8 dígitos e funciona por 10 minutos, neste navegador. Não chegou? Veja na pasta de spam.",
    code: "Código do e-mail",
    emptyCode: "Digite o código primeiro.",
    malformedCode: "Um código tem 8 dígitos.",
    wrong: "Este código não funciona. Use o do e-mail mais recente. Depois de 5 errados, você precisa de outro.",
    over: "Ele expirou, já foi usado ou 5 códigos errados foram digitados. Envie outro código.",
    another: "Enviar outro código",
    resent: (address) => `Se ${address} for conhecido aqui, outro código está a caminho. Só o novo funciona.`,
    otherAddress: "Outro endereço",
    limited: "Códigos demais foram pedidos. Tente de novo em quinze minutos.",
  },
});
