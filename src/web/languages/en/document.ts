/** What a document says without its script, in English. */
export const texts = {
  noScript: {
    title: "This page needs JavaScript",
    text: "Turn on JavaScript to decrypt in your browser, then reload. Or open the link in a current Chrome, Edge, Firefox or Safari.",
  },
  /** Said when the script of the page takes long. */
  late: {
    title: "This page hasn't loaded yet",
    text: "A part of it is still on its way, or didn't arrive. Reload the page. If that doesn't help, something may block its JavaScript: open the link in another browser.",
  },
  nowhere: {
    title: "There's nothing at this address",
    text: "It may be mistyped or cut off. Copy the whole link again.",
    start: "Go to the start page",
  },
  mailOff: {
    title: "Switch these mails off?",
    text: "They tell you what happens to what you send and ask for.",
    button: "Switch off",
  },
  mailIsOff: { title: "These mails are off", text: "You can switch them on again in your account." },
  mailOffStale: {
    title: "This link switches nothing off",
    text: "It was cut off, or these mails were switched on again since. Use the link in the newest mail, or choose in your account.",
  },
};
