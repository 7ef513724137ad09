/**
 * The texts of mails in one language. Placeholders: {server}, {minutes}, {team}; of notices {sent} and {at}, which are
 * times, {ticket}, {id}, {count}, {words} and {address}.
 */
export interface MailTexts {
  /** BCP 47. */
  readonly language: string;
  readonly direction: "ltr" | "rtl";
  readonly subject: string;
  /** The first line, which notifications show. */
  readonly asked: string;
  /** Before the name of the browser that asked. */
  readonly browser: string;
  readonly code: string;
  /** Where the address is in several teams. */
  readonly codeOfTeam: string;
  readonly validity: string;
  readonly warning: string;
  readonly ignore: string;
  /** In place of `asked`, `validity`, `warning` and `ignore`, of a code that proves an address for a link. */
  readonly proofAsked: string;
  readonly proofValidity: string;
  readonly proofWarning: string;
  readonly proofIgnore: string;
  /** For each kind of notice a subject, a sentence, and what to do about it. */
  readonly opened: string;
  readonly openedLine: string;
  readonly openedAdvice: string;
  readonly ending: string;
  readonly endingLine: string;
  readonly endingAdvice: string;
  readonly handedIn: string;
  readonly handedInLine: string;
  readonly handedInAdvice: string;
  readonly approval: string;
  readonly approvalLine: string;
  readonly approvalAdvice: string;
  /** The words that the asker sees, and the address that they have proven, or that they have proven none. */
  readonly approvalWords: string;
  readonly approvalAddress: string;
  readonly approvalNobody: string;
  /** The subject of several of them. */
  readonly several: string;
  /** For those that the mail doesn't list. */
  readonly more: string;
  readonly ticket: string;
  readonly idEnd: string;
  /** Before the address of the page's activity. */
  readonly activity: string;
  /** Before the address that switches such mails off. */
  readonly off: string;
  /** Of a passkey that was added: a subject, a sentence, a label for the browser, and what to do about it. */
  readonly passkey: string;
  readonly passkeyLine: string;
  readonly passkeyBrowser: string;
  readonly passkeyAdvice: string;
  /** Before the address of the account. */
  readonly account: string;
}
