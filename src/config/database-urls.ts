import { LIBPQ_PARAMETERS } from "./libpq-parameters.ts";

/** The parts of a URL of a PostgreSQL database (libpq, 34.1.1.2), decoded; undefined where it says nothing. */
export interface DatabaseUrl {
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** A name, an address without brackets, or the absolute path of the directory of a Unix socket; or several of them, with commas between. */
  readonly host: string | undefined;
  /** The port for all hosts, or one each, with commas between; some may be empty. */
  readonly port: string | undefined;
  readonly database: string | undefined;
  /** The parameters that stand in none of the places above. */
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Scheme, user, password, hosts with their ports, name of the database, parameters. There is one @ at most: another one, or one behind a / or ?, is
 * likely to be of a password, which would be taken for something that may be shown; so are &, ; and = outside of a password and of what they divide.
 */
const FORM =
  /^(postgres(?:ql)?:\/\/)(?:([^@/?:&;=]*)(?::([^@/?]*))?@)?((?:\[[^\]@&;=]*\]|[^@/?[\]&;=])*)(?:\/([^@?&;=]*))?(?:\?([^@?;]*))?$/;

/** Characters that no URL has as they are: blanks, line ends and other characters that aren't printed. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const UNPRINTED = /[\s\u0000-\u001f\u007f]/;

/** One host, with or without brackets, and its port. */
const HOST = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::([^:[\]]*))?$/;

/** The parameters that say what has a place of its own too. */
const PLACED = ["user", "password", "host", "port", "dbname"] as const;

/** The parameters that are shown with what they say. */
const SHOWN: readonly string[] = [...PLACED, ...LIBPQ_PARAMETERS].filter((name) => !/password|secret|scram/.test(name));

/** In the place of a URL that can't be read, and may be a password in any part of it. */
export const UNREADABLE_URL = "(a URL that can't be read)";

/** True of a parameter that libpq knows: its name is no part of a password. */
export function isKnownParameter(name: string): boolean {
  return LIBPQ_PARAMETERS.includes(name);
}

/** True when `text` is written as a URL is, where a path is expected. */
export function isUrlShaped(text: string): boolean {
  return isDatabaseUrlShaped(text) || text.includes("://");
}

/** True when `text` begins as the URL of a database does. */
export function isDatabaseUrlShaped(text: string): boolean {
  return /^\s*postgres(ql)?:/i.test(text);
}

/** Takes a URL apart. Returns undefined when it is none, or not percent-encoded as it should be. */
export function parseDatabaseUrl(url: string): DatabaseUrl | undefined {
  const parts = FORM.exec(url);
  // PostgreSQL takes a NUL nowhere.
  if (!parts || UNPRINTED.test(url) || url.includes("%00")) return undefined;
  const [, , user, password, places = "", database, query = ""] = parts;
  const hosts = places.split(",").map((place) => HOST.exec(place));
  if (hosts.includes(null)) return undefined;
  const names = hosts.map((found) => found?.[1] ?? found?.[2] ?? "").join(",");
  const ports = hosts.map((found) => found?.[3] ?? "");
  const port = ports.some(Boolean) ? ports.join(",") : undefined;
  try {
    const parameters = new Map(query.split("&").filter(Boolean).map(toPair));
    const pick = (name: (typeof PLACED)[number], placed: string | undefined) =>
      parameters.get(name) ?? (placed ? decodeURIComponent(placed) : undefined);
    return {
      user: pick("user", user),
      password: pick("password", password),
      host: pick("host", names),
      port: pick("port", port),
      database: pick("dbname", database),
      parameters: new Map([...parameters].filter(([name]) => !PLACED.some((placed) => placed === name))),
    };
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** True when a password stands in `url`; also when it is one that can't be read, and may have one. */
export function hasPassword(url: string): boolean {
  const parsed = parseDatabaseUrl(url);
  if (parsed === undefined) return /@|password/i.test(url);
  return parsed.password !== undefined || [...parsed.parameters.keys()].some((name) => /password/i.test(name));
}

/** The ports of the hosts of a URL, undefined for each that it doesn't say. Returns undefined when one of them is none. */
export function portsOf({ port = "" }: DatabaseUrl): (number | undefined)[] | undefined {
  const ports = port.split(",");
  const isPort = (text: string) =>
    text === "" || (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535);
  return ports.every(isPort) ? ports.map((each) => (each === "" ? undefined : Number(each))) : undefined;
}

/** The URL without its password, by which its database is told from others; `UNREADABLE_URL` when it can't be read. What is shown is `shownUrl`. */
export function withoutPassword(url: string): string {
  const parts = FORM.exec(url);
  const parsed = parseDatabaseUrl(url);
  // Without an @ behind it a password stands where the port should.
  if (!parts || !parsed || !portsOf(parsed)) return UNREADABLE_URL;
  if (![...parsed.parameters.keys()].every(isKnownParameter)) return UNREADABLE_URL;
  const [whole, scheme = "", user] = parts;
  const [place = "", query = ""] = whole.slice(scheme.length).split("?");
  const shown = user === undefined ? place : `${user}${place.slice(place.indexOf("@"))}`;
  const parameters = query.split("&").filter((each) => each !== "" && SHOWN.includes(toPair(each)[0]));
  return `${scheme}${shown}${parameters.length > 0 ? "?" : ""}${parameters.join("&")}`;
}

/** In the place of a host: the machine itself, an address, or a directory. No password looks so. */
const CERTAIN_HOST = /^(|localhost|\d{1,3}(\.\d{1,3}){3}|[\da-f:.]*:[\da-f:.]*|\/.*)$/i;

/**
 * The URL as it is shown: without its password. Where no @ says that it is behind them, what stands in the place of a host may be user or password, of a
 * URL that was cut off or mistyped: unless it is sure to be none, only the scheme is shown.
 */
export function shownUrl(url: string): string {
  const safe = withoutPassword(url);
  const [, scheme = "", , , places = ""] = FORM.exec(url) ?? [];
  if (safe === UNREADABLE_URL || url.includes("@")) return safe;
  const hosts = places.split(",").map((place) => HOST.exec(place));
  const isCertain = hosts.every((found) => CERTAIN_HOST.test(decodeURIComponent(found?.[1] ?? found?.[2] ?? "")));
  return isCertain ? safe : `${scheme}…`;
}

/** A parameter's name and value. Throws URIError when it isn't exactly that. */
function toPair(text: string): [name: string, value: string] {
  const [name = "", value, ...more] = text.split("=");
  if (value === undefined || more.length > 0) throw new URIError("a parameter is a name and a value");
  return [decodeURIComponent(name), decodeURIComponent(value)];
}
