import { formatForMessage } from "../parts/formats.ts";
import { SENDING } from "../texts/sending.ts";

const { sent: words } = SENDING;

/** Returns a message that presents a link. It names the time zone, because the recipient may be anywhere. */
export function describeLink(
  link: string,
  terms: { times: number; expiresAt: string; needsPassphrase: boolean },
): string {
  const { times, expiresAt, needsPassphrase } = terms;
  const text = words.messageText(link, times, formatForMessage(expiresAt));
  return needsPassphrase ? `${text}\n${words.passphraseFollows}` : text;
}
