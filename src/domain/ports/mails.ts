/** The kinds of mails. */
export const MAIL_KINDS = ["sign_in_code"] as const;
export type MailKind = (typeof MAIL_KINDS)[number];
