/** What the screens say on which a person lets a terminal in, in English. */
export const texts = () => ({
  login: {
    title: "Let a terminal in",
    lede: "Enter the code that “handoff login” shows in the terminal.",
    code: "Code",
    hint: "It has 8 letters. Capitals and the dash don't matter.",
    goOn: "Continue",
    checking: "Checking…",
    empty: "Enter the code first.",
    malformed: "A code has 8 letters, as in BCDF-GHJK.",
    wrong: "No terminal waits with this code: it's mistyped, was used already, or is more than 10 minutes old.",
    signIn: {
      title: "Sign in first",
      text: "Only people who are signed in can let a terminal in. Sign in in another tab, and this one goes on by itself.",
      kept: (code: string) => `This tab keeps the code ${code}.`,
      button: "Sign in",
    },
    terminal: {
      title: "Let this terminal in?",
      machine: "Machine",
      ownWord: "as it calls itself",
      address: "Calls from",
      unknown: "Unknown",
      since: "Started",
      actsAs: "It will act as",
      caution:
        "Go on only if you just ran “handoff login” on this machine yourself. If someone sent you the code, refuse: they could act as you.",
      allow: "Let it in",
      allowing: "Letting it in…",
      refuse: "Refuse",
      refusing: "Refusing…",
    },
    allowed: {
      title: "You let it in",
      text: "Go back to the terminal. It stays logged in for 12 hours at most, and only while you're signed in here.",
    },
    refused: {
      title: "Refused",
      text: "The terminal wasn't let in.",
    },
    gone: {
      title: "This terminal no longer waits",
      text: "It was let in or refused already, or the code is more than 10 minutes old. Look at the terminal. If it isn't logged in, run the command again.",
    },
    another: "Enter another code",
  },
});
