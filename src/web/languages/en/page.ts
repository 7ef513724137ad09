import type { Grammar } from "../grammar.ts";

/** What every screen may say, in English. */
export const texts = ({ plural }: Grammar) => ({
  /** BCP 47, without a region: dates are written as the reader's own kind of it does. */
  language: "en",
  direction: "ltr",
  name: "handoff",
  loading: "One moment …",
  /** Said in place of that when it takes long. */
  slow: "The server hasn't answered yet.",
  frame: {
    promise: "Encrypted in your browser. This server can't read it.",
    about: "How it works",
    commandLine: "Command line",
    api: "API",
    contact: "Help",
    imprint: "Imprint",
    privacy: "Privacy",
    runOn: (host: string) => `You're on ${host}. It can't read what you share.`,
    runBy: (name: string, host: string) => `Run by ${name} on ${host}. It can't read what you share.`,
    language: "Language",
  },
  cancel: "Cancel",
  leaving: {
    typed: {
      title: "Discard what you typed?",
      text: "It isn't sent, and this page doesn't keep it.",
      confirm: "Discard",
    },
    link: {
      title: "Leave without copying the link?",
      text: "The link isn't shown again.",
      confirm: "Leave",
    },
    secret: {
      title: "Close without saving the secret?",
      text: "You haven't copied or saved all of it.",
      confirm: "Close",
    },
  },
  copy: "Copy",
  copied: "Copied",
  notCopied: "This browser doesn't let the page copy. The text is selected: copy it yourself.",
  insecure: {
    title: "This page needs HTTPS",
    text: "The address begins with http, so anyone on the way could change this page and take the secret. Open it with https. If that doesn't work, tell the person who sent you the link.",
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
    text: "Some apps cut off the part after #. Paste the whole link here.",
  },
  encodedKey: {
    title: "This link was changed on the way",
    text: "An app turned # into %23, so the key was sent to the server. To be safe, ask the sender for a new link. You can still paste the whole link here.",
  },
  newerLink: {
    title: "This link is for a newer version",
    text: "The server that this page comes from is older than the link. Tell the person who runs it.",
  },
  forgotten: {
    title: "This tab no longer has the key",
    text: "Open the link from the message again.",
  },
  wrongLink: {
    title: "This link doesn't work",
    text: "It may be mistyped, or ended long ago. Copy the whole link again, or ask the sender for a new one.",
  },
  paste: {
    label: "Paste the whole link here",
    button: "Open",
    empty: "Paste the link first.",
    noLink: "This isn't a link from handoff. Copy it again from the message.",
    noKey: "The part from # on is missing. It's the key.",
    kinds: {
      secret: "This link opens a secret.",
      request: "This is a request link: with it, a secret is handed in.",
      backup: "This is a backup link: it opens what was handed in.",
    },
    elsewhere: (host: string) => `This link leads to another server, ${host}. Go there only if you know it.`,
    openOn: (host: string) => `Go to ${host}`,
  },
  tooMany: {
    title: "Too many attempts",
    text: "This link doesn't work, and too many from your network have failed. Check it and try again in a minute.",
  },
  failed: {
    title: "That didn't work",
    bare: "That didn't work.",
    /** Of what failed while the server was away. */
    back: "That didn't work, but the server answers again. Try again.",
    network: {
      title: "Can't reach the server",
      bare: "Can't reach the server.",
      lede: "Check your connection and try again.",
      text: "Can't reach the server. Check your connection and try again.",
    },
    busy: {
      title: "The server is unavailable",
      bare: "The server is unavailable.",
      lede: "Try again in a minute.",
      text: "The server is unavailable. Try again in a minute.",
    },
    answered: {
      title: "The server itself didn't answer",
      text: "Something between here and the server answered in its place. Does your network want you to sign in first, as in hotels? Check it, then try again.",
    },
    limited: "Too many calls. Try again in a minute.",
    other: "Something went wrong. Try again.",
    refused: "The server didn't accept this. Trying again won't help: tell the person who runs it.",
    stale: "A part of this page can't be loaded. Check your connection, or reload the page.",
    quota: "Not enough room is left for this team on the server. Send something smaller, or ask for more room.",
    again: "Try again",
  },
  retrying: {
    limited: "Too many attempts from your network.",
    again: (reason: string, seconds: number) =>
      plural(seconds, {
        one: `${reason} Trying again in 1 second…`,
        other: `${reason} Trying again in {n} seconds…`,
      }),
  },
  signedOut: {
    title: "You're signed out",
    text: "You're signed out. Sign in again in another tab, then try again here.",
  },
  otherPerson: (name: string) => `${name} is now signed in. Reload to continue.`,
  justNow: "just now",
  /** A day of the calendar within a sentence: "It expires Mon, Nov 30." */
  onDay: (day: string) => day,
  /** A day, or "today" and the like, with a time. */
  atTime: (day: string, time: string) => `${day}, ${time}`,
  /** What still waits, with a duration such as "6 days". */
  timeLeft: (duration: string) => `${duration} left`,
  text: "Text",
  /** The names of what can be read and copied. */
  theText: "The text",
  size: {
    about: (size: string) => `About ${size}`,
    lessThan: (size: string) => `Less than ${size}`,
  },
  person: {
    according: "according to this server",
  },
  passphrase: {
    label: "Passphrase",
    show: "Show passphrase",
    hide: "Hide passphrase",
  },
  titles: {
    send: "Send a secret",
    ask: "Ask for a secret",
  },
});
