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

const UNREADABLE = `the URL of the mail server can't be read: ${EXPECTED}. In user and password, write @ as %40, : as %3A, / as %2F, + as it is, ? as %3F, # as %23 and % as %25`;

/** The URL of a mail server. Its text, its JSON and its inspection have no user and no password. */
export class SmtpUrl {
  readonly #url: string;

  /** Takes any text. Text that isn't such a URL has no parts, but a fault. */
  constructor(url: string) {
    this.#url = url;
  }

  /** Returns the parts with the password; undefined when the URL can't be used. */
  reveal(): SmtpUrlParts | undefined {
    const read = readSmtpUrl(this.#url);
    return typeof read === "string" ? undefined : read;
  }

  /** The fault of the URL, as the rest of a sentence that quotes nothing of it; undefined for none. */
  get fault(): string | undefined {
    const read = readSmtpUrl(this.#url);
    return typeof read === "string" ? read : undefined;
  }

  /** True when the URL has a user or password, or may have one because it can't be used. */
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

/** The parts of `url`, or its fault. */
function readSmtpUrl(url: string): SmtpUrlParts | string {
  const [, scheme = "", user, password, place = "", port] = FORM.exec(url) ?? [];
  if (scheme === "") return UNREADABLE;
  const host = place.replaceAll(/[[\]]/g, "");
  const security = scheme.toLowerCase() === "smtps" ? "tls" : isLoopback(host) ? "none" : "starttls";
  const number = port === undefined ? PORTS[security] : Number(port);
  if (number < 1 || number > 65_535) return "the port in the URL of the mail server has to be from 1 to 65535";
  if (user !== undefined && !password) {
    return `the URL of the mail server has a user without a password: ${EXPECTED}, and without a user for a server that wants no login`;
  }
  try {
    return { host, port: number, security, user: decode(user), password: decode(password) };
  } catch (error) {
    if (error instanceof URIError) return UNREADABLE;
    throw error;
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
