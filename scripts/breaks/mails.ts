import type { Break } from "./break.ts";

const MAILER = ["test/mail/mailer.test.ts"];
const CODES = ["test/http/resources/mail-sign-ins.test.ts"];
const STORE = ["test/store/sqlite/conformance.test.ts"];

export const MAIL_BREAKS: readonly Break[] = [
  {
    what: "a wrong code isn't counted",
    file: "src/store/administration/mails.ts",
    find: "  const tries = attempt.tries + 1;",
    replace: "  const tries = attempt.tries;",
    tests: CODES,
  },
  {
    what: "a code works twice",
    file: "src/store/administration/mails.ts",
    find: "    yield* rowsOf(context.orm.delete(attempts).where(own));\n    return yield* insertSession",
    replace: "    return yield* insertSession",
    tests: CODES,
  },
  {
    what: "a code works after its time",
    file: "src/store/administration/mails.ts",
    find: ", gt(attempts.expiresAt, context.clock.now()));",
    replace: ", gt(attempts.expiresAt, 0));",
    tests: STORE,
  },
  {
    what: "a person who was removed gets codes",
    file: "src/domain/mails/accounts.ts",
    find: '({ kind, disabledAt }) => kind === "person" && disabledAt === null);',
    replace: '({ kind }) => kind === "person");',
    tests: CODES,
  },
  {
    what: "a person who was removed comes back through their domain",
    file: "src/domain/mails/accounts.ts",
    find: "teams.filter(({ id }) => !known.some(({ teamId }) => teamId === id));",
    replace: "teams;",
    tests: STORE,
  },
  {
    what: "a removed person comes back by another spelling of their address",
    file: "src/store/administration/mails.ts",
    find: "sql`lower(${identities.name}) = lower(${address})`",
    replace: "eq(identities.name, address)",
    tests: STORE,
  },
  {
    what: "a domain lets in those below it, and whoever ends like it",
    file: "src/domain/mails/accounts.ts",
    find: "domain.toLowerCase() === host;",
    replace: "host.startsWith(domain.toLowerCase());",
    tests: STORE,
  },
  {
    what: "all teams have the same code",
    file: "src/domain/values/tokens.ts",
    find: "update(`handoff/v1/code/${teamId}`)",
    replace: "update(`handoff/v1/code/${teamId.slice(0, 4)}`)",
    tests: CODES,
  },
  {
    what: "an address gets as many mails as somebody asks for",
    file: "src/http/gate/rate-limits.ts",
    find: "      countAddressMail(toName(mailAddress).toLowerCase(), headers);\n",
    replace: "",
    tests: CODES,
  },
  {
    what: "a mail that was sent is sent again while the storage can't note it",
    file: "src/domain/mails/sender.ts",
    find: "    over.add(id);\n",
    replace: "",
    tests: CODES,
  },
  {
    what: "a process without the lease sends mails",
    file: "src/domain/mails/sender.ts",
    find: "due.length === 0 || !(await store.mayCallWebhooks())",
    replace: "due.length === 0",
    tests: CODES,
  },
  {
    what: "a recipient who is refused for good is tried again",
    file: "src/mail/failures.ts",
    find: "  const isFinal = status >= 500 &&",
    replace: "  const isFinal = status >= 600 &&",
    tests: MAILER,
  },
  {
    what: "a refusal for now is final",
    file: "src/mail/failures.ts",
    find: "  const isFinal = status >= 500 &&",
    replace: "  const isFinal = status >= 400 &&",
    tests: MAILER,
  },
  {
    what: "certificates of mail servers aren't verified",
    file: "src/mail/mailer.ts",
    find: 'minVersion: "TLSv1.2",',
    replace: 'minVersion: "TLSv1.2", rejectUnauthorized: false,',
    tests: MAILER,
  },
  {
    what: "a mail server without STARTTLS gets mails in the clear",
    file: "src/mail/mailer.ts",
    find: 'requireTLS: security === "starttls",',
    replace: "requireTLS: false,",
    tests: MAILER,
  },
  {
    what: "names in a mail are read as HTML",
    file: "src/mail/documents.ts",
    find: "entities[character] ?? character",
    replace: "character in entities ? character : character",
    tests: MAILER,
  },
  {
    what: "another machine is taken for this one, and gets mails in the clear",
    file: "src/config/smtp-urls.ts",
    find: String.raw`/^127(\.\d{1,3}){3}$/.test(host)`,
    replace: String.raw`/^(127|localhost)\./.test(host)`,
    tests: ["test/config/smtp-urls.test.ts"],
  },
  {
    what: "the user of a mail server is taken from the arguments",
    file: "src/config/load.ts",
    find: 'value instanceof SmtpUrl && given.from === "flag"',
    replace: 'value instanceof SmtpUrl && given.from === "default"',
    tests: ["test/cli/admin-mail.test.ts"],
  },
];
