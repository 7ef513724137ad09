import type { Grammar } from "../grammar.ts";

/** What the start page says, and what signing in and out says, in English. */
export const texts = ({ plural }: Grammar) => ({
  contact: "Need help? Ask",
  signIn: {
    title: "Sign in",
    lede: "Your admin made this link for you.",
    already:
      "You're already signed in in this browser. The link signs in the person it was made for instead. Private keys of requests stay in this browser until you sign out.",
    once: "The link works once. On a shared computer, sign out when you're done.",
    button: "Sign in",
    busy: "Signing in…",
    stay: "Stay signed in",
    signedIn: "You're signed in",
    goOn: "Go on",
    signedInAs: (name: string, team: string) => `You're signed in as ${name}, ${team}.`,
    until: (when: string) => `Without use, you'll be signed out ${when}.`,
    notYou: "Not you? Sign out",
    faults: {
      missing: {
        title: "Sign in",
        text: "Open the whole sign-in link from your admin, including the part after #.",
      },
      cut: {
        title: "This sign-in link is incomplete",
        text: "Copy the whole link from the message of your admin.",
      },
      long: {
        title: "This sign-in link has extra characters",
        text: "Copy it again without them.",
      },
      mistyped: {
        title: "This sign-in link is mistyped",
        text: "Copy it again from the message of your admin.",
      },
    },
    needsHttps: {
      title: "This browser needs HTTPS to sign in",
      text: "The address begins with http. Safari and some other browsers stay signed in over HTTPS only. Open the link in Chrome or Firefox, or ask your admin for an HTTPS address. The link hasn't been used here.",
    },
    noCookie: {
      title: "This browser doesn't keep you signed in",
      text: "It refuses the cookie of this page. Allow cookies for this address, and open your sign-in link again. If it no longer works, ask your admin for a new one.",
    },
    refused: {
      title: "This sign-in link doesn't work",
      text: "It expired, or was used, replaced or canceled. Ask your admin for a new one.",
    },
    passkey: {
      button: "Sign in with a passkey",
      unknown:
        "This passkey doesn't work here. It may have been removed. Use another one, or ask your admin for a sign-in link.",
      late: "That took too long. Try again.",
      unusable: "This browser can't use a passkey here. Open a sign-in link from your admin instead.",
      noCookie: "This browser refuses the cookie of this page. Allow cookies for this address, then try again.",
    },
    keepTab: "The link may have been used, and then it works in this tab only.",
  },
  signOut: {
    stillSignedIn: {
      title: "You're still signed in",
      text: "Can't reach the server. Check your connection, and sign out again.",
    },
    unsavedElsewhere: {
      title: "Sign out?",
      text: "Another tab has text that isn't sent, or a link that isn't copied. It will be lost.",
      confirm: "Sign out",
    },
    losesKeys: (keys: number, toCollect: number) => ({
      title: "Sign out?",
      text: [
        plural(keys, {
          one: "This browser will delete the private key of 1 request. Without its backup, nobody can open what's handed in.",
          other:
            "This browser will delete the private keys of {n} requests. Without their backups, nobody can open what's handed in.",
        }),
        toCollect > 0
          ? plural(toCollect, {
              one: "1 secret is waiting to be collected.",
              other: "{n} secrets are waiting to be collected.",
            })
          : "",
      ]
        .filter(Boolean)
        .join(" "),
      confirm: "Sign out",
    }),
    keysLeft: {
      title: "You're signed out",
      text: "This browser didn't delete the private keys of your requests. Clear the data of this site in the browser's settings.",
    },
  },
  nothingAllowed: {
    title: "You can't send or ask yet",
    text: "You're signed in, but you aren't allowed to send, to ask, or to see activity. Ask your admin.",
  },
  landing: {
    title: "Send secrets safely",
    lede: "Passwords, keys and files, encrypted in your browser. The server can't read them.",
    link: "Got a link? Paste it here.",
    hint: "You'll see a preview before it opens.",
    steps: {
      encrypted: {
        title: "Sealed here",
        text: "Your browser encrypts it. The key is in the link, and never reaches the server.",
      },
      kept: {
        title: "Opened once",
        text: "It works once, unless the sender allows more. Then the server deletes it.",
      },
      opened: {
        title: "Known to the sender",
        text: "They see when it was opened.",
      },
    },
    signIn: "To send something, open the sign-in link from your admin.",
    signInByAdmin: "To send something, you need a sign-in link. Ask your admin for one.",
    withoutPasskey: "No passkey yet? Open the sign-in link from your admin.",
    withoutPasskeyByAdmin: "No passkey yet? Ask your admin for a sign-in link.",
    contact: "No account, or a question? Ask",
    commandLine: "Command line and API",
    commandLineText: "With an API key from your admin, handoff works in a terminal and in programs too.",
    docs: "API documentation",
  },
});
