/** The texts of mails in one language. Placeholders: {server}, {minutes}, {team}. */
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
}
