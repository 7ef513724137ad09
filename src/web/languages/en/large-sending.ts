import type { Grammar } from "../grammar.ts";

/** What the screens say while a secret is sent in pieces, in English. */
export const texts = (_grammar: Grammar) => ({
  largeSending: {
    keepOpen:
      "Each piece is encrypted before it leaves. Keep this tab open. If the connection drops or the device sleeps, it goes on from there.",
    /** Bytes in a second. */
    rate: (size: string) => `${size}/s`,
    line: {
      title: "Can't reach the server",
      text: "It goes on from where it was as soon as the connection is back. Keep this tab open.",
    },
    server: {
      title: "Waiting for the server",
      text: "The server is unavailable. It goes on from where it was as soon as the server can. Keep this tab open.",
    },
    storage: {
      title: "Waiting for the server",
      text: "The server can't store anything now: its disk may be full. It goes on from where it was as soon as it can. Keep this tab open.",
    },
    tryNow: "Try now",
    stopped: "You canceled, so there's no link. The server removes what has arrived, after a day at the latest.",
    ended: "The server has ended the upload, so there's no link. What you chose is still here: send it again.",
    stoppedHandIn:
      "You canceled, so nothing was handed in. The server removes what has arrived, after a day at the latest.",
    maybeHandedIn: "You canceled, and it may have been handed in already. Ask the person who asked you for it.",
    endedHandIn:
      "The server has ended the upload, so nothing was handed in. What you chose is still here: hand it in again.",
  },
});
