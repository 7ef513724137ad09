import type { Grammar } from "../grammar.ts";

/** What the screens say about the people whom a secret or a request is for, in English. */
export const texts = ({ plural }: Grammar) => ({
  people: {
    whoOpens: "Who may open it?",
    whoHandsIn: "Who may hand in?",
    everyone: "Everyone with the link",
    hint: "Type mail addresses, or *@example.com for everyone at a domain.",
    worth:
      "The server checks addresses with a code that it mails to them. People who run the server could skip that, so keep the link secret.",
    /** The last words of the terms in one line. */
    only: "chosen people only",
    remove: (address: string) => `Remove ${address}`,
    wrong: "This isn't an address. An address looks like ann@example.com.",
    tooMany: (most: number) => `Choose ${most} at most.`,
    required: "Your team's rules ask you to say who.",
    onlyAt: (domains: string) => `Your team's rules allow only people at: ${domains}.`,
    refused: "The server doesn't accept one of these addresses. Check them.",
    /** Whom it is for; a list follows. */
    chosen: "For",
    lede: (times: number, when: string) =>
      plural(times, {
        one: `Only the people you chose can open it, once, until ${when}. The link isn't shown again.`,
        other: `Only the people you chose can open it, {n} times, until ${when}. The link isn't shown again.`,
      }),
    asked: "You asked for it",
    opened: (address: string) => `Opened by ${address}, address proven`,
    handedIn: (address: string) => `Handed in by ${address}, address proven`,
    refusedOne: (address: string) =>
      `Someone with the link gave the address ${address} and didn't prove one of the chosen ones`,
    refusedUnnamed: "Someone with the link didn't prove one of the chosen addresses",
  },
});
