/** What the screens of a link that is for chosen people say, in English. */
export const texts = () => ({
  proof: {
    /** `address` has only its first character and its domain. */
    forAddress: (address: string) => `This is for ${address}.`,
    forDomain: (domain: string) => `This is for everyone at ${domain}.`,
    forSeveral: "This is for:",
    everyoneAt: (domain: string) => `Everyone at ${domain}`,
    hint: "Enter your whole address. You get a code by mail, and need no account.",
    hintOne: (start: string, end: string) =>
      `Enter the whole address: it starts with ${start} and ends with ${end}. You get a code by mail, and need no account.`,
    sent: (address: string) => `If ${address} is one of the chosen addresses, a mail with a code is on its way.`,
    resent: (address: string) =>
      `If ${address} is one of the chosen addresses, a mail with another code is on its way. Only the new one works.`,
    continue: "Continue",
    openAs: (address: string) => `Open as ${address}`,
    continueAs: (address: string) => `Continue as ${address}`,
    notFor: (address: string) =>
      `You're signed in as ${address}, and this isn't for that address. Use another one, or ask the person who sent you the link.`,
    ended: "You proved your address more than 10 minutes ago. Get another code to go on.",
    worth: "The server checks your address. Keep the link secret all the same.",
    /** Where somebody has to approve the opening, too. */
    thenApproval: "After that, somebody has to let you in before you can open it.",
    noMail: "This server sends no mail. Sign in there, then open this link again.",
    signIn: "Sign in",
  },
});
