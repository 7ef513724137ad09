/** What the start page says where people sign in with a code by mail, in English. */
export const texts = () => ({
  mail: {
    address: "Your mail address",
    send: "Send me a code",
    sending: "Sending…",
    noAccount: "You get a code by mail. No account? Ask your admin.",
    empty: "Enter your address first.",
    malformed: "An address looks like ann@example.com.",
    sent: (address: string) => `If ${address} is known here, a code is on its way.`,
    hint: "It has 8 digits and works for 10 minutes, in this browser. No mail? Look in your spam folder.",
    code: "Code from the mail",
    emptyCode: "Enter the code first.",
    malformedCode: "A code has 8 digits.",
    wrong: "This code doesn't work. Take the one from the newest mail. After 5 wrong ones you need another.",
    over: "It expired, was used, or 5 wrong codes were entered. Send another code.",
    another: "Send another code",
    resent: (address: string) => `If ${address} is known here, another code is on its way. Only the new one works.`,
    otherAddress: "Use another address",
    limited: "Too many codes were asked for. Try again in a quarter of an hour.",
  },
});
