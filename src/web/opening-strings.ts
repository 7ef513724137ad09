/** Everything that the page says, in English, to somebody who opens a secret. */
export const OPENING_STRINGS = {
  open: {
    title: "Somebody has sent you a secret",
    once: "It can be opened once.",
    times: (left: number) => `It can be opened ${left} times.`,
    moreTimes: (left: number) =>
      left === 1 ? "It can be opened 1 more time." : `It can be opened ${left} more times.`,
    until: (when: string) => `It can be opened until ${when}.`,
    taken: "You've opened this link. Enter the passphrase; keep this tab open.",
    takenHere:
      "You've opened this link. This browser can't keep what came: don't close or reload this tab before you have read it.",
    notYet: "You haven't opened the secret yet.",
    maybe: "The server may have handed out the secret already. Try again right away in this tab.",
    stay: "Get the passphrase from the sender first. Opening takes the secret from the server: keep this tab open until you have read it.",
    passphrase: "Passphrase",
    passphraseHint: "Whoever sent it has told you a passphrase, too.",
    wrongPassphrase: "That passphrase doesn't work. Check it and try again. Keep this tab open until it does.",
    passphraseMissing: "It needs a passphrase, too. Ask the sender for it, or compare this link with the original.",
    button: "Open the secret",
    opening: (percent: number) => (percent < 100 ? `Opening … ${percent} %` : "Opening …"),
  },
  opened: {
    text: "The secret",
    files: "The files",
    hide: "Hide",
    show: "Show",
    download: (name: string) => `Download ${name}`,
    save: "Download",
    saveAll: "Download all as one archive",
    archive: "secret.tar",
    unnamed: "secret.bin",
    more: (count: number) => `There are ${count} more files, in the archive.`,
    keep: "Save what you need now. It can't be shown again.",
    keepInTab: (when: string) => `Save what you need now. You can show it again in this tab until ${when}.`,
    keepInBrowser: (when: string) => `Save what you need now. You can show it again in this browser until ${when}.`,
    left: (left: number) =>
      left === 1 ? "The link can be opened 1 more time." : `The link can be opened ${left} more times.`,
    noFiles: "There are no files in it, only folders.",
    longText: "This is only its beginning. Copy takes all of it.",
    saveText: "Download as text",
    textFile: "secret.txt",
    undecryptable: "This cannot be decrypted: the link or passphrase does not belong to it, or it has been changed.",
    unsafe: "This holds an archive that is not safe to unpack. Ask for it to be sent again.",
  },
  ended: {
    claimed: (when: string) => ({
      title: "This secret has been opened",
      text: `Opened ${when}. If that wasn't you, tell the sender: someone else may have it.`,
    }),
    claimLost: (when: string, asked: string) => ({
      title: "This secret has been opened",
      text: `Opened ${when}. This tab asked for it ${asked}, and the answer never arrived. Ask the sender to send it again. If the times differ, someone else may have it.`,
    }),
    openedHere: (when: string) => ({
      title: "You opened this secret",
      text: `Opened ${when}. Ask the sender if you need it again.`,
    }),
    expired: (when: string, opens: number) => ({
      title: "This secret has expired",
      text: `It expired ${when}${opens === 0 ? " and was never opened" : ""}. Ask the sender for a new link.`,
    }),
    revoked: (when: string) => ({
      title: "This secret was revoked",
      text: `Revoked ${when}. Ask the sender if you need it.`,
    }),
  },
} as const;
