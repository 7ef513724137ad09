import type { Grammar } from "./grammar.ts";

/** Everything that the page says, in English: the language that every other one is held against. */
export const en = ({ plural, number }: Grammar) => ({
  /** BCP 47, without a region: dates are written as the reader's own kind of it does. */
  language: "en",
  direction: "ltr",
  name: "handoff",
  loading: "One moment …",
  noScript: "Turn on JavaScript to decrypt in your browser.",
  frame: {
    tabs: "Main",
    send: "Send",
    ask: "Ask",
    activity: "Activity",
    toCollect: "to collect",
    accountOf: (name: string) => `Account of ${name}`,
    signOut: "Sign out",
    promise: "End-to-end encrypted. This server can't read what you share.",
    about: "How it works",
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
    text: "The address begins with http, so anyone on the way could change this page and take the secret. Open the same address with https.",
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
    noLink: "This isn't a link from handoff. Copy it again from the message.",
    noKey: "The part from # on is missing. It's the key.",
  },
  tooMany: {
    title: "Too many attempts",
    text: "This link doesn't work, and too many from your network have failed. Check it and try again in a minute.",
    canRetry: true,
  },
  failed: {
    title: "That didn't work",
    network: {
      title: "Can't reach the server",
      lede: "Check your connection and try again.",
      text: "Can't reach the server. Check your connection and try again.",
    },
    busy: {
      title: "The server is unavailable",
      lede: "Try again in a minute.",
      text: "The server is unavailable. Try again in a minute.",
    },
    limited: "Too many calls. Try again in a minute.",
    other: "Something went wrong. Try again.",
    refused: "The server didn't accept this. Trying again won't help: tell the person who runs it.",
    stale: "A part of this page can't be loaded. Check your connection, or reload the page.",
    quota: "The server has no room left for this team. Tell the person who runs it, or who gave you the link.",
    unreadable: "A file can't be read. Is it still there, and is it a file and not a folder?",
    again: "Try again",
  },
  retrying: {
    busy: (seconds: number) =>
      plural(seconds, {
        one: "The server is unavailable. Trying again in 1 second…",
        other: "The server is unavailable. Trying again in {n} seconds…",
      }),
    limited: (seconds: number) =>
      plural(seconds, {
        one: "Too many attempts from your network. Trying again in 1 second…",
        other: "Too many attempts from your network. Trying again in {n} seconds…",
      }),
    network: (seconds: number) =>
      plural(seconds, {
        one: "Can't reach the server. Trying again in 1 second…",
        other: "Can't reach the server. Trying again in {n} seconds…",
      }),
  },
  signedOut: {
    title: "You are signed out",
    text: "You are no longer signed in. Sign in again in another tab, with a link from your admin, and then try again here: nothing that you typed is lost.",
    canRetry: true,
  },
  wrongCount: (most: number) => (most === 1 ? "It can only be 1." : `Enter a whole number from 1 to ${most}.`),
  otherPerson: (name: string) =>
    `In another tab somebody else has signed in: ${name}. Reload this page to go on as them.`,
  open: {
    title: "Someone sent you a secret",
    titleBySender: "You've been sent a secret",
    signedInAs: (address: string, team: string) => `Signed in here as ${address}, ${team}`,
    signedIn: (team: string) => `Signed in here, ${team}`,
    text: "Text",
    files: (count: number) => plural(count, { one: "1 file", other: "{n} files" }),
    both: (count: number) => plural(count, { one: "Text and 1 file", other: "Text and {n} files" }),
    about: (size: string) => `About ${size}`,
    once: "It can be opened once.",
    times: (left: number) => plural(left, { one: "It can be opened once.", other: "It can be opened {n} times." }),
    moreTimes: (left: number) =>
      plural(left, { one: "It can be opened 1 more time.", other: "It can be opened {n} more times." }),
    lastTime: "After you open it, the link stops working. Have a safe place ready, such as a password manager.",
    oneOfSeveral: "Opening it counts as one.",
    until: (when: string) => `It expires ${when}.`,
    getPassphrase: "Get the passphrase from the sender first.",
    tryAgain: "You can try as often as you need, in this tab.",
    taken: "You've opened this link. Enter the passphrase; keep this tab open.",
    takenHere:
      "You've opened this link. This browser can't keep it: don't close or reload this tab until you've read the secret.",
    notYet: "You haven't opened the secret yet.",
    maybe: "The server may have handed out the secret already. Try again right away in this tab.",
    passphrase: "Passphrase",
    showPassphrase: "Show passphrase",
    hidePassphrase: "Hide passphrase",
    spaces: "It starts or ends with a space. If it doesn't work so, it's tried without.",
    wrongPassphrase: "That passphrase doesn't work. Check it and try again. Keep this tab open until it does.",
    passphraseMissing: "It needs a passphrase, too. Ask the sender for it, or compare this link with the original.",
    beWary: "Not expecting a secret? Ask the person who gave you this link before you open it.",
    beWaryOf: (name: string) => `Not expecting anything from ${name}? Ask before you open it.`,
    button: "Open secret",
    opening: (percent: number) => (percent < 100 ? `Opening… ${percent}%` : "Opening…"),
  },
  opened: {
    text: "Secret",
    file: "File",
    files: (count: number) => plural(count, { one: "1 file", other: "{n} files" }),
    from: (name: string) => `From ${name}`,
    /** The names of what can be read and copied. */
    theText: "The text",
    theTextIsHidden: "The text is hidden",
    hidden: "hidden",
    lines: (count: number) => plural(count, { one: "Text, 1 line", other: "Text, {n} lines" }),
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
    unnamed: "secret.bin",
    notZipped: "The ZIP can't be made. Check your connection, or download the files one by one.",
    preview: (name: string) => `Preview of ${name}`,
    noPreview: "This browser can't show it. Download it instead.",
    more: (count: number) =>
      plural(count, { one: "1 more file is in the ZIP.", other: "{n} more files are in the ZIP." }),
    keep: "Save what you need now. It can't be shown again.",
    keepInTab: (left: string) => `Save what you need now. You can show it again in this tab for ${left}.`,
    keepInBrowser: (left: string) => `Save what you need now. You can show it again in this browser for ${left}.`,
    left: (left: number) =>
      plural(left, { one: "The link can be opened 1 more time.", other: "The link can be opened {n} more times." }),
    noFiles: "There are no files in it, only folders.",
    longText: "This is only its beginning. Copy and Download take all of it.",
    textFile: "secret.txt",
    undecryptable: "This can't be decrypted: the link or passphrase doesn't belong to it, or it was changed.",
    unsafe:
      "The archive in this secret can't be unpacked: it's damaged, unsafe or has too many files. Ask for it to be sent again.",
    erase: "Done, erase now",
    erasing: "Erasing…",
    eraseFirst: {
      title: "Erase without saving the secret?",
      text: "You haven't copied or saved all of it. It can't be shown again.",
      confirm: "Erase",
    },
    notErased: "Can't reach the server to erase it there. It erases it by itself once the time is over.",
    erased: {
      title: "Erased",
      text: "The secret is gone from the server and from this page. You can close it.",
    },
    erasedHere: (left: number) => ({
      title: "Erased here",
      text: plural(left, {
        one: "The secret is gone from this page. The link can be opened 1 more time.",
        other: "The secret is gone from this page. The link can be opened {n} more times.",
      }),
    }),
  },
  ended: {
    claimed: (when: string) => ({
      title: "This secret has been opened",
      text: `Opened ${when}.`,
      warning: "If that wasn't you, tell the sender: someone else may have it.",
    }),
    claimLost: (when: string, asked: string) => ({
      title: "This secret has been opened",
      text: `Opened ${when}. This tab asked for it ${asked}, and the answer never arrived. Ask the sender to send it again.`,
      warning: "If the times differ, someone else may have it.",
    }),
    openedElsewhere: (time: string) => ({
      title: "You opened this secret",
      text: `You opened it here at ${time}, in another tab.`,
    }),
    askedElsewhere: {
      title: "You're opening this secret",
      text: "Another tab has asked for it, and no answer has arrived there so far.",
    },
    again: (left: string) => `You can show it again for ${left}.`,
    openedHere: (when: string) => ({
      title: "You opened this secret",
      text: `Opened ${when}. Ask the sender if you need it again.`,
    }),
    expired: (when: string) => ({
      title: "This secret has expired",
      text: `It expired ${when}. Ask the sender for a new link.`,
    }),
    neverOpened: (when: string) => ({
      title: "This secret has expired",
      text: `It expired ${when} and was never opened. Ask the sender for a new link.`,
    }),
    revoked: (when: string) => ({
      title: "This secret was revoked",
      text: `Revoked ${when}. Ask the sender if you need it.`,
    }),
  },
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
  signOut: {
    stillSignedIn: {
      title: "You're still signed in",
      text: "Can't reach the server. Check your connection, and sign out again.",
      canRetry: true,
    },
    unsavedElsewhere: {
      title: "Sign out?",
      text: "Another tab has text that isn't sent, or a link that isn't copied. It will be lost.",
      confirm: "Sign out",
    },
    losesKeys: (keys: number) => ({
      title: "Sign out?",
      text: plural(keys, {
        one: "This browser will delete the private key of 1 request. Without its backup link, nobody can open what's handed in.",
        other:
          "This browser will delete the private keys of {n} requests. Without their backup links, nobody can open what's handed in.",
      }),
      confirm: "Sign out",
    }),
    keysLeft: {
      title: "You're signed out",
      text: "This browser didn't delete the private keys of your requests. Clear the data of this site in the browser's settings.",
    },
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
    more: "Ask for another",
    live: "What happens to it",
    all: "All you asked for",
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
    states: { available: "Waiting", claimed: "Opened", expired: "Expired", revoked: "Revoked" },
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
  activity: {
    title: "Activity",
    summary: (toCollect: number, waiting: number) =>
      [
        toCollect > 0 ? plural(toCollect, { other: "{n} to collect" }) : "",
        waiting > 0 ? plural(waiting, { other: "{n} waiting" }) : "",
      ]
        .filter(Boolean)
        .join(", "),
    filter: "Show",
    filters: { all: "All", sent: "Sent", asked: "Asked for" },
    groups: { collect: "To collect", waiting: "Waiting", done: "Done" },
    secret: "Secret",
    request: "Request",
    sent: (when: string, size: string) => `Sent ${when} · ${size}`,
    asked: (when: string) => `Asked ${when}`,
    expires: (when: string) => `Expires ${when}`,
    neverOpened: (when: string) => `${when}, never opened`,
    states: {
      waiting: "Waiting",
      opened: "Opened",
      openedSome: (opens: number, most: number) => `Opened ${number(opens)} of ${number(most)}`,
      expired: "Expired",
      revoked: "Revoked",
      toCollect: (count: number) => plural(count, { other: "{n} to collect" }),
      noKey: (count: number) => plural(count, { other: "{n} waiting, but the key isn't in this browser" }),
      nothingYet: "Nothing yet",
      paused: "Paused",
      handedIn: (count: number, most: number) => `${number(count)} of ${number(most)} handed in`,
      partlyOpened: (opened: number, expired: number, revoked: number) =>
        [
          opened > 0 ? `${number(opened)} opened` : "",
          expired > 0 ? `${number(expired)} expired` : "",
          revoked > 0 ? `${number(revoked)} revoked` : "",
        ]
          .filter(Boolean)
          .join(", "),
    },
    news: (name: string, idEnd: string, state: string) => `${name} ${idEnd}: ${state}.`,
    more: (name: string, idEnd: string) => `More for ${name} ${idEnd}`,
    details: "Details",
    revoke: "Revoke",
    collect: "Collect",
    collectThis: (name: string) => `Collect: ${name}`,
    handedIn: "What was handed in",
    sureSent: { title: "Revoke this secret?", text: "It can't be opened after that.", confirm: "Revoke" },
    sureAsked: {
      title: "Revoke this request?",
      text: "Nothing more can be handed in after that. You can still open what was handed in.",
      confirm: "Revoke",
    },
    noneSent: "You haven't sent anything yet.",
    noneAsked: "You haven't asked for anything yet.",
    showMore: "Show more",
    notify: "Notify me when something is opened or handed in",
    notifying: "This browser notifies you while this page is open in a tab.",
    notNotifying: "This browser doesn't allow it. You can change that in its settings for this site.",
    signedOut: "You're signed out. This list is no longer updated.",
    empty: {
      title: "Nothing here yet",
      text: "What you send or ask for shows up here, and you see when it's opened.",
      send: "Send a secret",
      ask: "Ask for one",
    },
    facts: {
      state: "State",
      sent: "Sent",
      asked: "Asked",
      expires: "Expires",
      ended: "Ended",
      opened: "Opened",
      handedIn: "Handed in",
      times: (count: number, most: number) => `${number(count)} of ${number(most)}`,
      size: "Size, encrypted",
      id: "ID",
      close: "Close",
    },
  },
  landing: {
    title: "Hand a secret over, once",
    text: "A secret is encrypted where you are, kept until it is opened, handed over once, and forgotten.",
    got: "Somebody has given you a link? Open it in this browser, to its very end.",
    send: "You want to send something? Ask your admin for a sign-in link, or for a key for the command line:",
    command: "handoff login\nhandoff send",
    docs: "The API is described here.",
  },
  justNow: "just now",
  today: (time: string) => `today at ${time}`,
});
