import { LOCALE } from "../texts/page.ts";
import { SENDING } from "../texts/sending.ts";

const { sent: words } = SENDING;

/** Returns a message that presents a link. It names the time zone, because the recipient may be anywhere. */
export function describeLink(
  link: string,
  terms: { times: number; expiresAt: string; needsPassphrase: boolean },
): string {
  const { times, expiresAt, needsPassphrase } = terms;
  const text = words.messageText(link, times, formatEnd(expiresAt));
  return needsPassphrase ? `${text}\n${words.passphraseFollows}` : text;
}

/** Formats a time for a message: "Saturday, November 28 at 2:38 PM GMT+1". */
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
