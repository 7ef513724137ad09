import type { Grammar } from "../grammar.ts";

/** What the screens say on which text and files are put together, and those of a request, in English. */
export const texts = ({ plural }: Grammar) => ({
  content: {
    label: "Secret",
    placeholder: "A password, a key, a note…",
    add: "Add files",
    addFolder: "Add a folder",
    addPhoto: "Add a photo",
    drop: "or drop files anywhere",
    dropNow: "Drop to add",
    room: (limit: string) => `Up to ${limit}`,
    used: (used: string, limit: string) => `${used} of ${limit}`,
    remove: (name: string) => `Remove ${name}`,
    removeAll: "Remove all",
    moreFiles: (count: number) => plural(count, { one: "1 more file", other: "{n} more files" }),
    lines: (count: number) => plural(count, { one: "1 line", other: "{n} lines" }),
    longText: "Too long to edit here.",
    empty: "Type something, or add a file.",
    sameName: (name: string) => `There is already a file named ${name}. Remove it first, or rename the other one.`,
    tooMany: "That's more than 10,000 files, which nobody could unpack. Put them into an archive first.",
    tooLarge: (size: string, limit: string) => `That's too large. It's ${size}; the limit is ${limit}.`,
    fileTooLarge: (name: string, size: string, limit: string) =>
      `${name} is too large. It's ${size}; the limit is ${limit}.`,
    badName: (name: string) => `A file can't be sent under the name “${name}”. Rename it first.`,
    unreadable: (name: string) => `${name} can't be read. Is it still there?`,
    moreRefused: (count: number) =>
      plural(count, { one: "1 more file wasn't added.", other: "{n} more files weren't added." }),
    shortcut: (keys: string) => `or press ${keys}`,
  },
  delivery: {
    encrypting: "Encrypting…",
    encryptingText: "The secret hasn't been sent yet.",
    sending: "Sending…",
    sendingText: "It's already encrypted. Keep this page open until it's done.",
    progress: "Sent",
    left: (time: string) => `About ${time} left`,
    waiting: "Waiting for the server to answer…",
    canceling: "Canceling…",
    cancelingText: "If it has arrived, it's revoked.",
    canceledBefore: "You canceled. Nothing was sent.",
  },
  submit: {
    title: "You've been asked for a secret",
    titleBy: (name: string) => `${name} asks for a secret`,
    caution: "Continue only if you know who sent you this link.",
    label: "What you hand in",
    placeholder: "Type or paste it here",
    terms: "Only the person who asked can read it.",
    until: (when: string) => `The link expires ${when}.`,
    left: (count: number) =>
      plural(count, { one: "1 secret can be handed in.", other: "{n} secrets can be handed in, one at a time." }),
    button: "Hand in",
    showField: (name: string) => `Show ${name}`,
    hideField: (name: string) => `Hide ${name}`,
    wrongValues: {
      missing: "Fill this in.",
      too_long: "That's too long.",
      several_lines: "That's more than one line.",
      control_character: "It has a character that can't be sent.",
    },
    joined: "You pasted several lines, and they became one. Check it.",
    canceled:
      "You canceled. It may have arrived already. To be sure, hand it in again without changes: then it counts once.",
    swapped: {
      title: "Stop: don't send anything",
      text: "The link is damaged, or the server is trying to read what you send. Nothing was sent. Copy the whole link again. If that doesn't help, tell the person who sent it to you.",
    },
    noteBroken:
      "The note of this request can't be read. The link is damaged, or the server has changed it. Nothing was sent.",
    paused: {
      title: "This request is paused",
      text: "Nothing can be handed in now. Try again later, or ask the person who sent you the link.",
    },
    fulfilled: {
      title: "This has been handed in",
      text: "Everything that was asked for has been handed in, by you or someone else. It accepts nothing more.",
    },
    expired: { title: "This request has expired", text: "It no longer accepts secrets. Ask for a new link." },
    revoked: {
      title: "This request was revoked",
      text: "It no longer accepts secrets.",
    },
    notSent: "Your secret wasn't sent.",
    kept: "What you typed is still here.",
    earlierArrived:
      "What you sent first had arrived, and the person who asked can open it. What you changed since then wasn't sent: tell them.",
    done: {
      title: "Handed in",
      text: "Only the person who asked can open it. You can close this page.",
      hadEarlier:
        "What you sent before, without an answer, may have arrived too. Tell the person who asked which is right.",
      more: "Hand in another",
      reference: "Reference",
      referenceText: "The person who asked can use it to find this. It can't open the secret.",
    },
  },
});
