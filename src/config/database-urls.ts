import { LIBPQ_PARAMETERS } from "./libpq-parameters.ts";

/** The parts of a URL of a PostgreSQL database (libpq, 34.1.1.2), decoded; undefined where it says nothing. */
export interface DatabaseUrlParts {
  readonly user: string | undefined;
  readonly password: string | undefined;
  /**
   * A name, an address without brackets, or the absolute path of the directory of a Unix socket; or several of them,
   * with commas between.
   */
  readonly host: string | undefined;
  /** The port for all hosts, or one each, with commas between; some may be empty. */
  readonly port: string | undefined;
  readonly database: string | undefined;
  /** The parameters, except those with a place of their own above. */
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Scheme, user, password, hosts with their ports, database name, parameters. A second @, or one after a / or ?,
 * probably belongs to a password, which would then be shown. The same holds for &, ; and = where they separate nothing.
 */
const FORM =
  /^(postgres(?:ql)?:\/\/)(?:([^@/?:&;=]*)(?::([^@/?]*))?@)?((?:\[[^\]@&;=]*\]|[^@/?[\]&;=])*)(?:\/([^@?&;=]*))?(?:\?([^@?;]*))?$/;

/** Characters that no URL contains literally: spaces, line ends and other characters that aren't printable. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const UNPRINTED = /[\s\u0000-\u001f\u007f]/;

/** One host, with or without brackets, and its port. */
const HOST = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::([^:[\]]*))?$/;

/** The parameters for what also has a place of its own. */
const PLACED = ["user", "password", "host", "port", "dbname"] as const;

/** The parameters that are shown with their values. */
const SHOWN: readonly string[] = [...PLACED, ...LIBPQ_PARAMETERS].filter((name) => !/password|secret|scram/.test(name));

/** A valid host: the machine itself, an address, or a directory. No password looks like that. */
const CERTAIN_HOST = /^(|localhost|\d{1,3}(\.\d{1,3}){3}|[\da-f:.]*:[\da-f:.]*|\/.*)$/i;

/** The text for a URL that can't be read, because any part of it may be a password. */
export const UNREADABLE_URL = "(a URL that can't be read)";

/** True for a parameter that libpq knows: its name is no part of a password. */
export function isKnownParameter(name: string): boolean {
  return LIBPQ_PARAMETERS.includes(name);
}

/** True when `text` looks like a URL, where a path is expected. */
export function isUrlShaped(text: string): boolean {
  return isDatabaseUrlShaped(text) || text.includes("://");
}

/** True when `text` begins like the URL of a database. */
export function isDatabaseUrlShaped(text: string): boolean {
  return /^\s*postgres(ql)?:/i.test(text);
}

/** The URL of a database. Its text, its JSON and its inspection have no password, so it can be shown and logged. */
export class DatabaseUrl {
  readonly #url: string;
  readonly #found: RegExpExecArray | null;
  readonly #parts: DatabaseUrlParts | undefined;

  /** Takes any text. Text that isn't a URL, or isn't percent-encoded correctly, has no parts. */
  constructor(url: string) {
    this.#url = url;
    // PostgreSQL accepts a NUL nowhere.
    this.#found = UNPRINTED.test(url) || this.hasNul ? null : FORM.exec(url);
    this.#parts = this.#found ? toParts(this.#found) : undefined;
  }

  /** Returns the parts with the password; undefined when the URL can't be read. */
  reveal(): DatabaseUrlParts | undefined {
    return this.#parts;
  }

  /** True when the URL has a password, or may have one because it can't be read. */
  get hasPassword(): boolean {
    if (!this.#parts) return /@|password/i.test(this.#url);
    const { password, parameters } = this.#parts;
    return password !== undefined || [...parameters.keys()].some((name) => /password/i.test(name));
  }

  get hasNul(): boolean {
    return this.#url.includes("\0") || this.#url.includes("%00");
  }

  /** The URL without its password, which identifies its database; `UNREADABLE_URL` when it can't be read. */
  get address(): string {
    // Without an @ after it, a password may be where the port should be.
    if (!this.#found || !this.#parts || !portsOf(this.#parts)) return UNREADABLE_URL;
    if (![...this.#parts.parameters.keys()].every(isKnownParameter)) return UNREADABLE_URL;
    const [whole, scheme = "", user] = this.#found;
    const [place = "", query = ""] = whole.slice(scheme.length).split("?");
    const shown = user === undefined ? place : `${user}${place.slice(place.indexOf("@"))}`;
    const parameters = query.split("&").filter((each) => each !== "" && SHOWN.includes(toPair(each)[0]));
    return `${scheme}${shown}${parameters.length > 0 ? "?" : ""}${parameters.join("&")}`;
  }

  /**
   * Returns the address. Without an @, a host may be the user or password of a URL that was cut off or mistyped: unless
   * it certainly is a host, the text has only the scheme.
   */
  toString(): string {
    const { address } = this;
    if (address === UNREADABLE_URL || this.#url.includes("@")) return address;
    const [, scheme = "", , , places = ""] = this.#found ?? [];
    const names = places.split(",").map((place) => hostIn(HOST.exec(place)));
    return names.every((name) => CERTAIN_HOST.test(decodeURIComponent(name))) ? address : `${scheme}…`;
  }

  toJSON(): string {
    return this.toString();
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toString();
  }
}

function hostIn(found: RegExpExecArray | null): string {
  return found?.[1] ?? found?.[2] ?? "";
}

/** Decodes the parts; undefined when a host or the encoding is invalid. */
function toParts([, , user, password, places = "", database, query = ""]: RegExpExecArray):
  DatabaseUrlParts | undefined {
  const hosts = places.split(",").map((place) => HOST.exec(place));
  if (hosts.includes(null)) return undefined;
  const ports = hosts.map((found) => found?.[3] ?? "");
  try {
    const parameters = new Map(query.split("&").filter(Boolean).map(toPair));
    const pick = (name: (typeof PLACED)[number], placed: string | undefined) =>
      parameters.get(name) ?? (placed ? decodeURIComponent(placed) : undefined);
    return {
      user: pick("user", user),
      password: pick("password", password),
      host: pick("host", hosts.map(hostIn).join(",")),
      port: pick("port", ports.some(Boolean) ? ports.join(",") : undefined),
      database: pick("dbname", database),
      parameters: new Map([...parameters].filter(([name]) => !PLACED.some((placed) => placed === name))),
    };
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** The ports of the hosts, undefined for each without one. Returns undefined when one of them is no port. */
export function portsOf({ port = "" }: DatabaseUrlParts): (number | undefined)[] | undefined {
  const ports = port.split(",");
  const isPort = (text: string) =>
    text === "" || (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535);
  return ports.every(isPort) ? ports.map((each) => (each === "" ? undefined : Number(each))) : undefined;
}

/** A parameter's name and value. Throws URIError when it isn't exactly that. */
function toPair(text: string): [name: string, value: string] {
  const [name = "", value, ...more] = text.split("=");
  if (value === undefined || more.length > 0) throw new URIError("a parameter is a name and a value");
  return [decodeURIComponent(name), decodeURIComponent(value)];
}
