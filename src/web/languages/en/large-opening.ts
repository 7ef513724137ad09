/** What the screens of a large secret that is opened say, in English. */
export const texts = () => ({
  largeOpening: {
    /** In place of the button that opens it. */
    noRoom: (size: string) =>
      `This browser doesn't have room for ${size}. Free some space and reload this page, or open the link with the command “handoff open”. You haven't opened the secret yet.`,
    /** The same, for what was handed in for a request. */
    noRoomToCollect: (size: string) =>
      `This browser doesn't have room for ${size}. Free some space and try again, or open it on the command line: type “handoff collect -”, and paste the backup link of this request.`,
    unable:
      "This browser can't store a secret this large. Private windows often can't. Copy the link from where you got it, and open it in another browser, or with the command “handoff open”. You haven't opened the secret yet.",
    locked:
      "The server has released the secret to this tab. It's still locked by its passphrase. Keep this tab open until you've opened it.",
    progressLabel: "Opening",
    progress: (done: string, total: string) => `${done} of ${total}`,
    rate: (size: string) => `${size}/s`,
    left: (time: string) => `${time} left`,
    keepOpen: "Keep this tab open until all of it is here.",
    stop: "Stop",
    stopped: "Stopped. What had arrived was deleted.",
    unwritable: "This browser can't store the secret: the disk may be full. What had arrived was deleted.",
    /** After one of the two texts above. `time` is a time of day. */
    again: (time: string) => `You can open it again in this tab until ${time}.`,
    damaged: "This secret was cut off or changed, so none of it is shown. Ask for it to be sent again.",
    saveAll: "Download all",
    zipping: (percent: number) => `Making the ZIP… ${percent}%`,
    stored: "This browser stores it on your device until you close this page. Let your downloads finish first.",
    gone: "This browser no longer has the file. If there is time left, reload this page to get it again.",
  },
});
