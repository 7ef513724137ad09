import type { Grammar } from "../grammar.ts";

/** What the screens of a secret that is opened say, in English. */
export const texts = ({ plural }: Grammar) => ({
  open: {
    title: "Someone sent you a secret",
    titleBy: (name: string) => `${name} sent you a secret`,
    titleHere: "Enter the passphrase",
    files: (count: number) => plural(count, { one: "1 file", other: "{n} files" }),
    both: (count: number) => plural(count, { one: "Text and 1 file", other: "Text and {n} files" }),
    times: (left: number) => plural(left, { one: "Opens once", other: "Opens {n} times" }),
    moreTimes: (left: number) => plural(left, { one: "Opens 1 more time", other: "Opens {n} more times" }),
    /** `when` is a day, or a time today. */
    until: (when: string) => `Until ${when}`,
    passphraseHint: "Get it from the sender. You can try as often as you need.",
    taken: "The secret is here, still locked by its passphrase. Keep this tab open until you've read it.",
    takenHere:
      "The secret is here, still locked by its passphrase. This browser can't keep it: don't close or reload this tab until you've read it.",
    notYet: "You haven't opened the secret yet.",
    maybe: "The server may have handed out the secret already. Try again right away in this tab.",
    maybeTrying: "The server may have handed out the secret already. This tab is trying again: keep it open.",
    refusedTrying: "The server answered that nothing was handed out. This tab is trying again.",
    emptyPassphrase: "Enter the passphrase first.",
    spaces: "It starts or ends with a space. If it doesn't work like that, it's tried without the space.",
    wrongPassphrase: "That passphrase doesn't work. Check it and try again.",
    passphraseMissing: "It needs a passphrase, too. Ask the sender for it, or compare this link with the original.",
    beWary: "Not expecting this? Ask the person who sent you the link before you open it.",
    beWaryOf: (name: string) => `Not expecting this? Ask ${name} before you open it.`,
    button: "Open secret",
    opening: (percent: number) => (percent < 100 ? `Opening… ${percent}%` : "Opening…"),
  },
  opened: {
    text: "Secret",
    file: "File",
    from: (name: string) => `From ${name}`,
    theTextIsHidden: "The text is hidden",
    hidden: (characters: number) => plural(characters, { one: "Hidden, 1 character", other: "Hidden, {n} characters" }),
    lines: (count: number) => plural(count, { one: "Text, 1 line", other: "Text, {n} lines" }),
    fields: (count: number) => plural(count, { one: "1 field", other: "{n} fields" }),
    hide: "Hide",
    show: "Show",
    showAgain: "Show again",
    hideAll: "Hide all",
    showAll: "Show all",
    copyAll: "Copy all",
    copyThis: (name: string) => `Copy ${name}`,
    copiedThis: (name: string) => `Copied ${name}`,
    showThis: (name: string) => `Show ${name}`,
    hideThis: (name: string) => `Hide ${name}`,
    download: (name: string) => `Download ${name}`,
    save: "Download",
    saveAll: "Download all as ZIP",
    saved: (size: string) => `${size} · downloaded`,
    archive: "secret.zip",
    notZipped: "The ZIP can't be made. Check your connection, or download the files one by one.",
    preview: (name: string) => `Preview of ${name}`,
    noPreview: "This browser can't show it. Download it instead.",
    keep: "Save it now. It can't be shown again.",
    keepNow: "Save it now.",
    keepInTab: (left: string) => `Save it now. You can show it again in this tab for ${left}.`,
    keepInBrowser: (left: string) => `Save it now. You can show it again in this browser for ${left}.`,
    timeLeft: "Time left",
    find: "Find a file",
    noneFound: "No file has this name.",
    showMore: (count: number) => plural(count, { one: "Show 1 more", other: "Show {n} more" }),
    left: (left: number) =>
      plural(left, { one: "The link can be opened 1 more time.", other: "The link can be opened {n} more times." }),
    noFiles: "There are no files in it, only folders.",
    longText: "This is only its beginning. Copy and Download take all of it.",
    textFile: "secret.txt",
    cannotOpen: "This secret can't be opened",
    undecryptable:
      "This can't be decrypted: the link or passphrase doesn't belong to it, or it was changed. Ask for it to be sent again.",
    unsafe:
      "The archive in this secret can't be unpacked: it's unsafe or unusual, or has too many files. Ask for it to be sent again.",
    damaged:
      "This archive is damaged, so its files can't be shown. You can download it as it is, and ask for it to be sent again.",
    /** The reasons why it is not even tried to open a secret. */
    refused: {
      version: "This secret has a format that this page doesn't know. Tell the person who runs the server.",
      settings:
        "This secret was encrypted with settings that this page refuses, because opening it could take very long. Ask for it to be sent again with handoff.",
      otherwise: "This secret was encrypted for another key, so this page can't open it. Ask for it to be sent again.",
    },
    erase: "Done, erase now",
    erasing: "Erasing…",
    /** `rest` is one of the two texts after it, or `left`. */
    eraseFirst: (rest: string) => ({
      title: "Erase without saving the secret?",
      text: `You haven't copied or saved all of it. ${rest}`,
      confirm: "Erase",
    }),
    notAgain: "It can't be shown again.",
    maybeNotAgain: "You may not be able to open it again.",
    notErased: "The server couldn't be told to erase it. Try again, or let the time run out.",
    erased: {
      title: "Erased",
      text: "The secret is gone from the server and from this page. You can close the page.",
    },
    /** `rest` is the text after it, or `left`. */
    erasedHere: (rest: string) => ({ title: "Erased here", text: `The secret is gone from this page. ${rest}` }),
    canClose: "You can close the page.",
  },
  ended: {
    titles: {
      opened: "This secret has been opened",
      openedByYou: "You opened this secret",
      expired: "This secret has expired",
    },
    claimed: (when: string) => ({
      text: `Opened ${when}.`,
      warning: "If that wasn't you, tell the sender: someone else may have it.",
    }),
    claimedTimes: (times: number, when: string) => ({
      text: plural(times, {
        one: `Opened ${when}.`,
        other: `Opened {n} times, most recently ${when}.`,
      }),
      warning: "If you don't know about that, tell the sender: someone else may have it.",
    }),
    claimLost: (when: string, asked: string) => ({
      text: `Opened ${when}. This tab asked for it ${asked}, and the answer never arrived. Ask the sender to send it again.`,
      warning: "If the times differ, someone else may have it.",
    }),
    openedElsewhere: (time: string) => `You opened it here at ${time}, in another tab.`,
    askedElsewhere: {
      title: "You're opening this secret",
      text: "Another tab has asked for it, and no answer has arrived there so far.",
    },
    again: (left: string) => `You can show it again for ${left}.`,
    openedHere: (when: string) => `Opened ${when}. Ask the sender if you need it again.`,
    openedOneOfSeveral: (when: string, left: number) =>
      plural(left, {
        one: `Opened ${when}. When you last had it here, the link could be opened 1 more time. Open it from the message again.`,
        other: `Opened ${when}. When you last had it here, the link could be opened {n} more times. Open it from the message again.`,
      }),
    expired: (when: string) => `It expired ${when}. Ask the sender for a new link.`,
    neverOpened: (when: string) => `It expired ${when} and was never opened. Ask the sender for a new link.`,
    revoked: (when: string) => ({
      title: "This secret was revoked",
      text: `Revoked ${when}. Ask the sender if you need it.`,
    }),
  },
});
