/** The parts of the URL of a mail server, decoded. */
export interface SmtpUrlParts {
  readonly host: string;
  readonly port: number;
  readonly security: "tls" | "starttls" | "none";
  readonly user: string | undefined;
  readonly password: string | undefined;
}

/** Scheme, user, password, host, port. A part with another of these characters in it is percent-encoded. */
const FORM = /^(smtps?):\/\/(?:([^\s@/?#:]+)(?::([^\s@/?#:]*))?@)?(\[[\da-f:.]+\]|[^\s@/?#:[\]]+)(?::(\d{1,5}))?\/?$/i;

/** The ports for submission with TLS and with STARTTLS (RFC 8314), and that of the own machine. */
const PORTS = { tls: 465, starttls: 587, none: 25 } as const;

const EXPECTED = "expected one such as smtps://user:password@mail.example, or smtp:// for STARTTLS";

/** What is wrong with the URL of a mail server, as the rest of a sentence. It quotes nothing. */
export const SMTP_URL_FAULT = `the URL of the mail server can't be read: ${EXPECTED}. In user and password, write @ as %40, : as %3A, / as %2F, + as it is, ? as %3F, # as %23 and % as %25`;

/** The URL of a mail server. Its text, its JSON and its inspection have no user and no password. */
export class SmtpUrl {
  readonly #url: string;

  /** Takes any text. Text that isn't such a URL has no parts. */
  constructor(url: string) {
    this.#url = url;
  }

  /** Returns the parts with the password; undefined when the URL can't be read. */
  reveal(): SmtpUrlParts | undefined {
    const [, scheme = "", user, password, place = "", port] = FORM.exec(this.#url) ?? [];
    if (scheme === "") return undefined;
    const host = place.replaceAll(/[[\]]/g, "");
    const security = scheme.toLowerCase() === "smtps" ? "tls" : isLoopback(host) ? "none" : "starttls";
    const number = port === undefined ? PORTS[security] : Number(port);
    if (number < 1 || number > 65_535) return undefined;
    try {
      return { host, port: number, security, user: decode(user), password: decode(password) };
    } catch (error) {
      if (error instanceof URIError) return undefined;
      throw error;
    }
  }

  /** True when the URL has a user or password, or may have one because it can't be read. */
  get hasPassword(): boolean {
    const parts = this.reveal();
    return parts === undefined || parts.user !== undefined;
  }

  /** Scheme, host and port; the scheme alone when the rest can't be told from a password. */
  toString(): string {
    const parts = this.reveal();
    if (!parts) return "smtp://…";
    const { host, port, security } = parts;
    return `${security === "tls" ? "smtps" : "smtp"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
  }

  toJSON(): string {
    return this.toString();
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toString();
  }
}

/** True when `text` begins like the URL of a mail server. */
export function isSmtpUrlShaped(text: string): boolean {
  return /^\s*smtps?:/i.test(text);
}

function isLoopback(host: string): boolean {
  return host.toLowerCase() === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

function decode(text: string | undefined): string | undefined {
  return text === undefined ? undefined : decodeURIComponent(text);
}
