import type { Grammar } from "../grammar.ts";

/** What the screens say about the approval of an opening, in English. */
export const texts = ({ plural }: Grammar) => ({
  /** To the person who opens a link. */
  approving: {
    wanted: "Somebody has to let you in before you can open it.",
    /** Where the sender decides. */
    wantedOf: (name: string) => `${name} has to let you in before you can open it.`,
    how: "You get three words. Somebody may call you and ask which ones you see.",
    button: "Ask to open",
    asking: "Asking…",
    waiting: "Waiting to be let in",
    waitingFor: (name: string) => `Waiting for ${name}`,
    compare: "The same three words are shown where it's decided. If you get a call about them, read them out.",
    /** The label of the words. */
    three: "Three words",
    /** A note about them in the other languages. */
    english: "",
    goesOn: (time: string) => `Keep this page open: it goes on by itself. They can decide until ${time}.`,
    triesAgain: "This page tries again by itself.",
    letIn: (time: string) => `You're let in. Open it by ${time}.`,
    refused: {
      title: "The answer is no",
      text: "You haven't opened the secret. If you need it, talk to the sender, then ask again.",
    },
    over: "You're no longer waiting to be let in. There's an hour to decide, then 10 minutes to open. Ask again if you still need the secret.",
    again: "Ask again",
    tooMany: "Too many others are waiting to be let in. Talk to the sender, or try again later.",
    /** Once it was opened, but not here. */
    elsewhere:
      "It wasn't opened in this tab. Somebody else was let in, or you were in another browser. If you still need it, talk to the sender.",
  },
  /** To the person who sends. */
  approval: {
    who: "Who has to agree?",
    choices: { nobody: "Nobody", sender: "Ask me first", team: "Somebody else of the team" },
    meanings: {
      sender: "Each time somebody wants to open it, Activity asks you to let them in or not.",
      team: "Each time somebody wants to open it, Activity asks the others of your team to let them in or not. You can't.",
    },
    worth: "The server sees to that. People who run the server could skip it, so keep the link secret.",
    required: "Your team's rules ask for this.",
    /** The last words of the terms in one line. */
    inBrief: { sender: "ask me first", team: "somebody else agrees" },
    lede: (times: number, when: string) =>
      plural(times, {
        one: `Anyone with it can ask to open the secret, which opens once, until ${when}. The link isn't shown again.`,
        other: `Anyone with it can ask to open the secret, which opens {n} times, until ${when}. The link isn't shown again.`,
      }),
    /** In the message to the recipient. */
    message: {
      sender: "Before it opens, I have to let you in. You'll see three words: I may call you and ask for them.",
      team: "Before it opens, someone else on my team has to let you in. You'll see three words: they may call you and ask for them.",
    },
    decides: {
      sender:
        "You decide who gets in. When somebody asks, it shows under Activity, with three words that they see too. Not sure who it is? Call, and ask for the words.",
      team: "Somebody else of your team decides who gets in. When somebody asks, it shows under Activity for them, and not for you.",
    },
  },
});
