import { readFileSync } from "node:fs";
import { simpleParser } from "mailparser";
import type { ParsedMail } from "mailparser";
import { SMTPServer } from "smtp-server";
import type { SMTPServerOptions } from "smtp-server";
import { codeOf } from "../../src/contract/error-traces.ts";
import type { MailServer as MailTarget } from "../../src/mail/mailer.ts";
import { makeCertificate } from "./certificates.ts";
import { temporaryFolder } from "./temporary.ts";

/** A mail that a server took, with the addresses that the sender gave it. */
export interface ReceivedMail {
  readonly mail: ParsedMail;
  readonly from: string;
  readonly to: readonly string[];
  /** True when it came over TLS. */
  readonly isSecure: boolean;
  readonly user: string | undefined;
  /** As it came. */
  readonly source: string;
}

/** A real mail server on this machine. */
export interface MailServer extends AsyncDisposable {
  readonly port: number;
  /** Its certificate (PEM), for localhost. */
  readonly ca: string;
  /** Where it takes mails. */
  readonly target: MailTarget;
  /** In the order in which they came. */
  readonly mails: readonly ReceivedMail[];
  /** Resolves with all mails once there are so many. */
  untilMails(count: number): Promise<readonly ReceivedMail[]>;
  /** What it answers to the next recipients, one each: a status to refuse with, or 250. Then it takes all of them. */
  readonly answers: number[];
  /** The commands RCPT that it got. */
  readonly recipients: () => number;
}

const USER = "handoff";
export const MAIL_PASSWORD = "p@ss:word/1+";

/** The certificate of all servers of a test file, which takes a moment to make. */
let made: { readonly cert: string; readonly key: string } | undefined;

function certificate() {
  if (made) return made;
  const folder = temporaryFolder();
  const { cert, key } = makeCertificate(folder.path);
  made = { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") };
  folder[Symbol.dispose]();
  return made;
}

/**
 * Opens a mail server. With `security`, it speaks TLS in that way, and takes mails of its user alone. `beforeTaken` is
 * called with each mail that has come whole, before the sender is told so.
 */
export async function openMailServer(
  security: MailTarget["security"] = "none",
  {
    port = 0,
    hostname = "127.0.0.1",
    beforeTaken,
    ...options
  }: SMTPServerOptions & { port?: number; hostname?: string; beforeTaken?: () => Promise<void> | void } = {},
): Promise<MailServer> {
  const { cert, key } = certificate();
  const mails: ReceivedMail[] = [];
  const answers: number[] = [];
  let recipients = 0;
  let wake = Promise.withResolvers<void>();
  const server = new SMTPServer({
    cert,
    key,
    secure: security === "tls",
    disabledCommands: security === "none" ? ["STARTTLS", "AUTH"] : [],
    authOptional: security === "none",
    onAuth({ username, password }, _session, done) {
      const isRight = username === USER && password === MAIL_PASSWORD;
      done(isRight ? null : new Error("wrong user or password"), { user: username });
    },
    onRcptTo(_address, _session, done) {
      recipients += 1;
      const status = answers.shift() ?? 250;
      done(status === 250 ? null : Object.assign(new Error("not now"), { responseCode: status }));
    },
    onData(stream, session, done) {
      const receive = async () => {
        const source = Buffer.from(await new Response(stream as unknown as ReadableStream).bytes());
        const { envelope, secure: isSecure, user } = session;
        const from = envelope.mailFrom ? envelope.mailFrom.address : "";
        const to = envelope.rcptTo.map(({ address }) => address);
        mails.push({ mail: await simpleParser(source), from, to, isSecure, user, source: source.toString() });
        await beforeTaken?.();
        wake.resolve();
        wake = Promise.withResolvers();
        done();
      };
      receive().catch((error: unknown) => {
        // A server that is stopped leaves in the middle of a mail.
        if (codeOf(error) !== "ECONNECTION") throw error;
      });
    },
    ...options,
  });
  // A client that goes away is part of the tests.
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(port, hostname, resolve));
  const bound = (server.server.address() as { readonly port: number }).port;
  const login = security === "none" ? {} : { user: USER, password: MAIL_PASSWORD };
  return {
    port: bound,
    ca: cert,
    target: {
      host: hostname === "127.0.0.1" ? "localhost" : hostname,
      port: bound,
      security,
      user: undefined,
      password: undefined,
      ...login,
    },
    mails,
    answers,
    recipients: () => recipients,
    async untilMails(count) {
      while (mails.length < count) await wake.promise;
      return mails;
    },
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(resolve));
    },
  };
}

/** The codes of eight digits in the text of a mail. */
export function codesIn({ mail }: Pick<ReceivedMail, "mail">): string[] {
  return [...(mail.text ?? "").matchAll(/^ {4}(\d{4}) (\d{4})$/gm)].map(([, first, second]) => `${first}${second}`);
}
