import { OPENING_STRINGS } from "./opening-strings.ts";

/** Everything that the page says, in English. */
export const STRINGS = {
  /** BCP 47, without a region: dates are written as the reader's own kind of it does. */
  language: "en",
  direction: "ltr",
  name: "handoff",
  footer: "Encrypted and decrypted in your browser. The server never sees what is handed over.",
  loading: "One moment …",
  noScript: "Turn on JavaScript to decrypt in your browser.",
  copy: "Copy",
  copied: "Copied",
  notCopied: "This browser does not let the page copy. The text is selected: copy it yourself.",
  insecure: {
    title: "This page needs https",
    text: "The address begins with http, so that anybody on the way could change this page and take the secret. Open the same address with https.",
  },
  broken: {
    title: "This link is incomplete",
    text: "Copy the whole link from the message.",
  },
  tooLong: {
    title: "This link has extra characters",
    text: "Copy it again without them.",
  },
  noKey: {
    title: "The key is missing from this link",
    text: "Some apps cut off the part after #. Copy the whole link from the message.",
  },
  forgotten: {
    title: "This tab no longer has the key",
    text: "Open the link from the message again.",
  },
  wrongLink: {
    title: "This link doesn't work",
    text: "It may be mistyped, or ended long ago. Copy the whole link again, or ask the sender for a new one.",
  },
  tooMany: {
    title: "Too many attempts",
    text: "Too many links from your network have failed. Check this one and try again in a minute.",
    canRetry: true,
  },
  failed: {
    title: "That did not work",
    network: "Can't reach the server. Check your connection and try again.",
    busy: "The server is unavailable. Try again in a minute.",
    limited: "Too many calls. Try again in a minute.",
    other: "Something went wrong. Try again.",
    stale: "A part of this page can't be loaded. Check your connection, or reload the page.",
    quota: "The server has no room left for this team. Tell whoever runs it, or whoever gave you the link.",
    unreadable: "A file cannot be read. Is it still there, and is it a file and not a folder?",
    again: "Try again",
  },
  retrying: {
    busy: (seconds: number) => `The server has much to do. Trying again in ${seconds} s …`,
    limited: (seconds: number) => `Too many attempts from your network. Trying again in ${seconds} s …`,
    network: (seconds: number) => `The server does not answer. Trying again in ${seconds} s …`,
  },
  signedOut: {
    title: "You are signed out",
    text: "You are no longer signed in. Sign in again in another tab, with a link from your admin, and then try again here: nothing that you typed is lost.",
    canRetry: true,
  },
  wrongCount: (most: number) => (most === 1 ? "It can only be 1." : `Enter a whole number from 1 to ${most}.`),
  leave: "What you typed, or the link that nobody has yet, will be lost. Go on?",
  otherPerson: (name: string) =>
    `In another tab somebody else has signed in: ${name}. Reload this page to go on as them.`,
  ...OPENING_STRINGS,
  content: {
    text: "The secret",
    files: "Or files",
    drop: "Drop files here, or choose them",
    remove: (name: string) => `Remove ${name}`,
    removeShort: "Remove",
    encrypting: "Encrypting …",
    sending: (percent: number) => (percent > 0 && percent < 100 ? `Sending … ${percent} %` : "Sending …"),
    empty: "Type something, or choose a file.",
    both: "Either text or files: take one of them out.",
    sameName: (name: string) => `There is a file named ${name} already. Remove it first, or rename the other one.`,
    tooMany: "These are more than 10,000 files, and nobody could unpack them. Put them into an archive first.",
    tooLarge: (limit: string) => `This is too large: the server takes about ${limit}.`,
    badName: (name: string) => `A file cannot be sent under the name ${name}. Rename it first.`,
  },
  submit: {
    title: "You are asked for a secret",
    note: "This is what is asked for:",
    noNote: "Whoever gave you this link asks you to hand something in.",
    until: (when: string) => `It can be handed in until ${when}. Only whoever asks can read it.`,
    button: "Encrypt and send",
    swapped: {
      title: "Stop: do not send anything",
      text: "The link is damaged, or the server is trying to read what you send. Nothing was sent. Copy the whole link again. If that doesn't help, tell the person who sent it to you.",
    },
    noteBroken:
      "The note of this request cannot be read. The link is damaged, or the server has changed it. Nothing was sent.",
    paused: {
      title: "This request is paused",
      text: "It is paused: nothing can be handed in now. Try again later, or ask the person who sent you the link.",
    },
    fulfilled: {
      title: "This has been handed in",
      text: "Everything that was asked for has been handed in, by you or somebody else. It accepts nothing more.",
    },
    expired: { title: "This request has expired", text: "It has expired. Ask for a new link." },
    revoked: {
      title: "This request was revoked",
      text: "The request no longer accepts secrets.",
    },
    notSent: "Your secret wasn't sent.",
    kept: "What you typed is still here.",
    earlierArrived:
      "What you sent first had arrived, and the person who asked can open it. What you changed since then wasn't sent: tell them.",
    done: {
      title: "Handed in",
      text: "It is encrypted and stored, and only whoever asked can open it. You can close this page.",
      hadEarlier:
        "What you sent before, without an answer, may have arrived too. Tell the person who asked which is right.",
      receipt: "Receipt",
    },
  },
  signIn: {
    title: "Sign in",
    text: "This link lets you in once. After that, this browser stays signed in for 30 days.",
    button: "Sign in",
    noLink: { title: "Sign in", text: "Open the whole sign-in link that your admin has given you, to its very end." },
    noCookie: {
      title: "This browser does not keep you signed in",
      text: "It refuses the cookie of this page. Allow cookies for this address, and ask your admin for a new link.",
    },
    refused: {
      title: "This sign-in link does not work",
      text: "It expired, or was used, replaced or canceled. Ask your admin for a new one.",
    },
    keepTab: "The link may have been used, and then it works in this tab only.",
  },
  home: {
    signedIn: (name: string, team: string) => `${name}, ${team}`,
    signOut: "Sign out",
    stillSignedIn: {
      title: "You are still signed in",
      text: "The server could not be told. Check your connection, and sign out again.",
      canRetry: true,
    },
    unsavedElsewhere: "Sign out? In another tab, something that you typed or a link that you didn't copy will be lost.",
    sureSignOut: (keys: number) =>
      `Sign out? This browser will delete the private ${keys === 1 ? "key of 1 request" : `keys of ${keys} requests`} that can still be opened. Without the backup ${keys === 1 ? "link" : "links"}, nobody can open what is handed in.`,
    keysLeft: {
      title: "You're signed out",
      text: "This browser did not delete the private keys of your requests. Clear the data of this site in the browser's settings.",
    },
    navigation: "What to do",
    send: "Send a secret",
    ask: "Ask for a secret",
  },
  send: {
    title: "Send a secret",
    lifetime: "The link works for",
    claims: "How often it can be opened",
    passphrase: "Passphrase (optional)",
    passphraseHint: "Whoever opens the link must know it, too. Tell it them by another way.",
    showPassphrase: "Show it",
    blankPassphrase: "The passphrase is nothing but spaces. Leave it empty, or choose a better one.",
    button: "Encrypt and make a link",
  },
  link: {
    code: "QR code",
    share: "Share",
  },
  sent: {
    title: "Here is your link",
    text: (needsPassphrase: boolean, most: number, when: string) => {
      const terms = `${most === 1 ? "once" : `${most} times`} until ${when}`;
      return needsPassphrase
        ? `The recipient needs this link and the passphrase. Send the passphrase another way. It can be opened ${terms}.`
        : `Anyone with this link can open the secret ${terms}.`;
    },
    shownOnce: (idEnd: string) => `The link isn't shown again. Below you see what becomes of it, as ${idEnd}.`,
    link: "The link",
    more: "Send another one",
    over: (state: "claimed" | "expired" | "revoked") =>
      ({
        claimed: "This secret has been opened. The link opens nothing more.",
        expired: "This secret has expired. The link opens nothing more.",
        revoked: "This secret was revoked. The link opens nothing more.",
      })[state],
  },
  ask: {
    title: "Ask for a secret",
    text: "You get a link. Whoever you give it to needs no account to hand something in, and only you can open it.",
    note: "What do you ask for? (optional)",
    noteHint: "Whoever has the link can read it. The server cannot.",
    lifetime: "The link works for",
    count: "How many secrets",
    button: "Make a request link",
    busy: "Making the link …",
  },
  asked: {
    title: "Here is your request link",
    text: (when: string) => `Pass it on. Something can be handed in through it until ${when}.`,
    link: "The request link",
    over: (state: "fulfilled" | "expired" | "revoked") =>
      ({
        fulfilled: "Everything has been handed in. The link accepts nothing more.",
        expired: "This request has expired. The link accepts nothing more.",
        revoked: "This request was revoked. The link accepts nothing more.",
      })[state],
    backupTitle: "To open the answer",
    kept: "The key is kept in this browser: come back here to open what is handed in. It is gone when you sign out, when this is a private window, or when somebody clears the data of the browser. For that case, and for another browser, save the backup link, which has the private key in it, and keep it to yourself.",
    notKept:
      "This browser keeps nothing, perhaps because the window is private. Without the following link nobody can open what is handed in: keep it, and keep it to yourself.",
    show: "Show backup link",
    backupLink: "The backup link",
    more: "Ask for something else",
  },
  collect: {
    title: "What you asked for",
    nothingYet: "Nothing has been handed in yet.",
    until: (when: string) => `It can be until ${when}. This page shows it as soon as it is.`,
    nothing: "Nothing was handed in, and nothing can be any more.",
    handedIn: (when: string) => `handed in ${when}`,
    open: "Open",
    openThis: (idEnd: string) => `Open ${idEnd}`,
    openUntil: (when: string) => `can be opened until ${when}`,
    paused: "Nothing has been handed in, and nothing can be while the request is paused.",
    once: "Each can be opened once. Afterwards it is gone from the server.",
    taken: "Somebody else has opened it: a colleague, or you, in another place.",
    expired: "Its time was over before anybody opened it. Ask for it to be handed in again.",
    revoked: "It was taken back before anybody opened it.",
    maybe: (until: string) =>
      `The server may have handed it out, and no answer arrived here. Try again right away in this browser: by default until ${until}.`,
    lost: "It never arrived here; ask for it again.",
    openedHere: "You opened it in this browser.",
    undecryptable:
      "It was not encrypted for this request, or is damaged, and nobody can open it. Ask for it to be handed in again.",
    back: "Back",
    all: "Everything you asked for",
    signIn: {
      title: "Sign in first",
      text: "Only somebody who is signed in can open what was handed in. Sign in in another tab, with a link from your admin, and then try again here.",
      canRetry: true,
    },
    noKey: {
      title: "The key is not in this browser",
      text: "Open it in the browser in which you asked, or with the backup link that you were shown there.",
    },
    wrongKey: {
      title: "This link does not fit",
      text: "The key in it is not that of this request. Copy the whole link again.",
    },
    unknown: {
      title: "There is no such request",
      text: "It belongs to another team, or ended long ago.",
    },
  },
  list: {
    title: "What became of it",
    noneSent: "Nothing has been sent yet.",
    states: { available: "Waiting", claimed: "Opened", expired: "Expired", revoked: "Taken back" },
    sent: (when: string) => `sent ${when}`,
    ended: (when: string) => `ended ${when}`,
    claims: (claims: number, most: number) => `opened ${claims} of ${most} times`,
    revoke: "Take back",
    askedTitle: "What has come in",
    noneAsked: "Nothing has been asked for yet.",
    requestStates: {
      open: "Nothing yet",
      paused: "Paused",
      fulfilled: "Handed in",
      expired: "Expired",
      revoked: "Taken back",
    },
    allOpened: "Collected",
    waiting: (count: number) => (count === 1 ? "One to collect" : `${count} to collect`),
    submissions: (count: number, most: number) => `${count} of ${most} handed in`,
    asked: (when: string) => `asked ${when}`,
    keyElsewhere: "the key is not in this browser",
    collect: "Collect",
    revokeThis: (idEnd: string) => `Take back ${idEnd}`,
    more: "Show more",
    sureSent: (idEnd: string) => `Take back ${idEnd}? Nobody can open it then. This cannot be undone.`,
    sureAsked: (what: string) =>
      `Take back the request “${what}”? Nothing more can be handed in then; what was, stays. This cannot be undone.`,
    signedOut: "You are no longer signed in, and nothing new is shown.",
  },
  landing: {
    title: "Hand a secret over, once",
    text: "A secret is encrypted where you are, kept until it is opened, handed over once, and forgotten.",
    got: "Somebody has given you a link? Open it in this browser, to its very end.",
    send: "You want to send something? Ask your admin for a sign-in link, or for a key for the command line:",
    command: "handoff login\nhandoff send",
    docs: "The API is described here.",
  },
  today: (time: string) => `today at ${time}`,
  size: (value: string, unit: "byte" | "bytes" | "KiB" | "MiB") => `${value} ${unit}`,
} as const;
