import { formatForMessage } from "../parts/formats.ts";
import { SENDING } from "../texts/sending.ts";

const { sent: words } = SENDING;

/**
 * Returns a message that presents a link. It names the time zone, because the recipient may be anywhere. `approval`
 * says that the opening has to be approved; empty where it hasn't.
 */
export function describeLink(
  link: string,
  terms: { times: number; expiresAt: string; needsPassphrase: boolean; approval: string | null | undefined },
): string {
  const { times, expiresAt, needsPassphrase, approval } = terms;
  return [
    words.messageText(link, times, formatForMessage(expiresAt)),
    ...(approval ? [approval] : []),
    ...(needsPassphrase ? [words.passphraseFollows] : []),
  ].join("\n");
}
