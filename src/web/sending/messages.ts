import { LOCALE, STRINGS } from "../strings.ts";

const { sent: words } = STRINGS;

/** A message to pass a link on with. The recipient may be anywhere, so it names the time zone. */
export function describeLink(
  link: string,
  terms: { times: number; expiresAt: string; needsPassphrase: boolean },
): string {
  const { times, expiresAt, needsPassphrase } = terms;
  const write = needsPassphrase ? words.messageWithPassphrase : words.messageText;
  return write(link, times, formatEnd(expiresAt));
}

/** A time as a message says it: "Saturday, November 28 at 2:38 PM GMT+1". */
function formatEnd(time: string): string {
  return new Date(time).toLocaleString(LOCALE, {
    weekday: "long",
    month: "long",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
  });
}
