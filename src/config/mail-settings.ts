import { Type } from "@sinclair/typebox";
import { MAIL_ADDRESS } from "./setting-kinds.ts";
import type { SmtpUrl } from "./smtp-urls.ts";

/** The settings for signing in by mail. */
export const MAIL_SETTINGS = {
  signInDomain: {
    kind: "list",
    schema: Type.Array(Type.String({ pattern: `^[^\\s=@]+\\.[^\\s=@]+=.+$` })),
    valueName: "DOMAIN=TEAM",
    expected: "a domain and the name or id of a team, such as example.com=ops",
    doc: "Let everybody with an address at this domain sign in by mail, as a person of the team with every scope, without being added first. May be repeated. People who were removed stay out.",
  },
  smtpUrl: {
    kind: "smtpUrl",
    schema: Type.Unsafe<SmtpUrl>(Type.Object({})),
    valueName: "URL",
    expected: "a URL such as smtps://user:password@mail.example, or smtp:// for STARTTLS",
    doc: "The mail server, for codes to sign in and for notices: `smtps://user:password@mail.example`, or `smtp://` for STARTTLS, and on this machine for no TLS. With a user in it only as variable, or in a file. Needs `--mail-from`.",
  },
  smtpUrlFile: {
    kind: "text",
    schema: Type.String({ minLength: 1 }),
    valueName: "FILE",
    doc: "A file with that URL.",
  },
  mailFrom: {
    kind: "text",
    schema: Type.String({ pattern: String.raw`^([^\u0000-\u001f<>"@]{0,60}<${MAIL_ADDRESS}>|${MAIL_ADDRESS})$` }),
    valueName: "ADDRESS",
    expected: "a mail address such as handoff@example.com, or one with a name: Handoff <handoff@example.com>",
    doc: "The sender of mails: `handoff@example.com`, or with a name, `Handoff <handoff@example.com>`.",
  },
} as const;
