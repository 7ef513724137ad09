import type { MailOutcome } from "../domain/ports/mails.ts";
import { certificateFaultOf, describeCertificateFault } from "../domain/values/certificate-faults.ts";

/** A failure of the library, as far as it says something. */
interface SmtpFailure {
  readonly message: string;
  readonly code: string;
  /** The code of the system, OpenSSL or Node.js behind it; empty without one. */
  readonly origin: string;
  readonly command: string;
  /** The status of the server's reply; 0 without one. */
  readonly status: number;
  readonly reply: string | undefined;
}

type Failure = Exclude<MailOutcome, { readonly result: "sent" }>;

/**
 * The outcome of a mail that wasn't sent, by the mail server at `host`. Only a reply of 5xx about the recipient or the
 * mail itself is final: everything else is about the server or its settings, which change.
 */
export function judgeFailure(error: unknown, host: string): Failure {
  const failure = readFailure(error);
  const { command, reply, status } = failure;
  const isFinal = status >= 500 && (command === "RCPT TO" || command === "DATA");
  return { result: isFinal ? "refused" : "delayed", reason: describe(failure, host), ...(reply && { reply }) };
}

function describe({ code, command, message, origin, status }: SmtpFailure, host: string): string {
  const answered = status > 0 ? ` (${status})` : "";
  switch (code) {
    case "EAUTH":
      return `${host} refused the login${answered}.`;
    case "EDNS":
      return `There is no mail server with the name ${host}.`;
    case "ETIMEDOUT":
      return `${host} doesn't answer in time.${/greeting/i.test(message) ? OTHER_TLS : ""}`;
    case "ETLS":
      return `${host} offers no TLS, so nothing is sent to it.`;
    case "EENVELOPE":
    case "EMESSAGE":
      return `${host} refused ${refusedPart(command)}${answered}.`;
    default:
      return status > 0 ? `${host} ended the connection${answered}.` : describeConnection(message, origin, host);
  }
}

/** A server that speaks TLS from the start waits for the first byte, as this side does with STARTTLS. */
const OTHER_TLS = " If it speaks TLS from the start at this port, as at 465, its URL begins with smtps://.";

function refusedPart(command: string): string {
  if (command === "MAIL FROM") return "the sender's address";
  return command === "RCPT TO" ? "the recipient" : "the mail";
}

function describeConnection(message: string, origin: string, host: string): string {
  const fault = certificateFaultOf(origin);
  if (fault) return describeCertificateFault(fault, host);
  if (/WRONG_VERSION_NUMBER|SSL routines/.test(message)) {
    return `${host} doesn't begin with TLS at this port: smtp:// is for STARTTLS, smtps:// for TLS from the start.`;
  }
  const refused = /ECONNREFUSED/.test(`${origin} ${message}`) ? ": nothing listens there" : "";
  return `Can't connect to ${host}${refused}.`;
}

function readFailure(error: unknown): SmtpFailure {
  const { message, code, originalCode, command, responseCode, response } = Object(error) as Readonly<
    Record<string, unknown>
  >;
  return {
    message: textOf(message),
    code: textOf(code),
    origin: textOf(originalCode),
    command: textOf(command),
    status: typeof responseCode === "number" ? responseCode : 0,
    reply: typeof response === "string" ? response : undefined,
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
