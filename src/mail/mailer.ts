import { createTransport } from "nodemailer";
import type { Letter, Mailer, MailOutcome } from "../domain/ports/mails.ts";
import { writeMail } from "./documents.ts";
import type { MailLook } from "./documents.ts";
import { judgeFailure } from "./failures.ts";

/** How long the mailer waits for a connection, and for the first line of the server. */
const TIMEOUT_MS = 10_000;
/** The same for each answer. Servers that look for viruses take a while, and a mail given up then would come twice. */
const ANSWER_MS = 120_000;
/** A mail that takes longer altogether is tried again. */
const TOTAL_MS = 180_000;

/** Where mails are handed in. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** `tls` from the first byte, `starttls` after a word in the clear, `none` on this machine alone. */
  readonly security: "tls" | "starttls" | "none";
  readonly user: string | undefined;
  readonly password: string | undefined;
}

/** An address with the name that mail programs show. */
interface MailSenderAddress {
  readonly name: string;
  readonly address: string;
}

export interface MailerOptions {
  readonly server: MailServer;
  readonly from: MailSenderAddress;
  /** Read for each mail, because the address of the page may be known late. */
  readonly look: () => MailLook;
  /** The certificates that are trusted, beside those of the system (PEM). */
  readonly ca?: string | undefined;
  readonly timeoutMs?: number;
  readonly totalMs?: number;
}

/** A mailer that can also be looked at without sending. */
export interface SmtpMailer extends Mailer {
  /** Connects, begins TLS and logs in. Resolves why that fails; undefined when it works. Never rejects. */
  check(): Promise<Exclude<MailOutcome, { readonly result: "sent" }> | undefined>;
}

/** Creates what sends mails over SMTP. Each mail has a connection of its own: they are rare, and none stays open. */
export function createMailer({ server, from, look, ca, timeoutMs, totalMs = TOTAL_MS }: MailerOptions): SmtpMailer {
  const { host, port, security, user, password } = server;
  const transportOf = () =>
    createTransport({
      // Any user of this machine can listen where the mail server doesn't: at its other loopback address.
      host: security === "none" && host === "localhost" ? "127.0.0.1" : host,
      port,
      secure: security === "tls",
      requireTLS: security === "starttls",
      // Certificates of the own machine are rarely for the name localhost.
      ignoreTLS: security === "none",
      ...(user !== undefined && { auth: { user, pass: password ?? "" } }),
      tls: { minVersion: "TLSv1.2", ...(ca !== undefined && { ca }) },
      name: greetingOf(look().baseUrl),
      connectionTimeout: timeoutMs ?? TIMEOUT_MS,
      dnsTimeout: timeoutMs ?? TIMEOUT_MS,
      greetingTimeout: timeoutMs ?? TIMEOUT_MS,
      // Longer than the others, which say more.
      socketTimeout: timeoutMs === undefined ? ANSWER_MS : 2 * timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  // A server that sends a byte now and then never runs into the other times.
  const deadline = (signal?: AbortSignal) =>
    AbortSignal.any([AbortSignal.timeout(totalMs), ...(signal ? [signal] : [])]);
  const late = { result: "delayed", reason: `${host} takes too long.` } as const;
  return {
    async send(letter, signal) {
      const transport = transportOf();
      const end = deadline(signal);
      try {
        await transport.sendMail({ ...toMessage(letter, from, look()), signal: end });
        return { result: "sent" };
      } catch (error) {
        return end.aborted ? late : judgeFailure(error, host);
      } finally {
        transport.close();
      }
    },
    async check() {
      const transport = transportOf();
      const end = deadline();
      const given = new Promise<never>((_, reject) => end.addEventListener("abort", reject, { once: true }));
      try {
        await Promise.race([transport.verify(), given]);
        return undefined;
      } catch (error) {
        return end.aborted ? late : judgeFailure(error, host);
      } finally {
        transport.close();
      }
    },
  };
}

/** The mail for the library. Both addresses are given as such, never as text in which it looks for more of them. */
function toMessage(letter: Letter, from: MailSenderAddress, look: MailLook) {
  const { subject, text, html, unsubscribe } = writeMail(letter, look);
  return {
    from: { name: from.name, address: from.address },
    to: { name: "", address: letter.address },
    subject,
    text,
    html,
    messageId: `<${letter.id}@${from.address.slice(from.address.lastIndexOf("@") + 1)}>`,
    headers: {
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      ...(unsubscribe !== undefined && {
        "List-Unsubscribe": `<${unsubscribe}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      }),
    },
  };
}

/** The name in the greeting: that of the page, or an address in the form that SMTP has for it. */
function greetingOf(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  return /^[\d.]+$/.test(hostname) ? `[${hostname}]` : hostname.replace(/^\[/, "[IPv6:");
}
