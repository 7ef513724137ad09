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
 * likely to be of a password, which would be taken for something that may be shown.
 */
const FORM =
  /^(postgres(?:ql)?:\/\/)(?:([^@/?:]*)(?::([^@/?]*))?@)?((?:\[[^\]@]*\]|[^@/?[\]])*)(?:\/([^@?]*))?(?:\?([^@]*))?$/;

/** One host, with or without brackets, and its port. */
const HOST = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::([^:[\]]*))?$/;

/** The parameters that say what has a place of its own too. */
const PLACED = ["user", "password", "host", "port", "dbname"] as const;

/** Takes a URL apart. Returns undefined when it is none, or not percent-encoded as it should be. */
export function parseDatabaseUrl(url: string): DatabaseUrl | undefined {
  const parts = FORM.exec(url);
  if (!parts) return undefined;
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

/** The URL without its password; empty when it can't be read. */
export function withoutPassword(url: string): string {
  const parts = FORM.exec(url);
  if (!parts) return "";
  const [whole, scheme = "", user] = parts;
  const [place = "", query = ""] = whole.slice(scheme.length).split("?");
  const shown = user === undefined ? place : `${user}${place.slice(place.indexOf("@"))}`;
  const parameters = query.split("&").filter((each) => each !== "" && !isSecret(each));
  return `${scheme}${shown}${parameters.length > 0 ? "?" : ""}${parameters.join("&")}`;
}

/** True of a parameter in which a password stands, and of one whose name can't be read. */
function isSecret(parameter: string): boolean {
  try {
    return /password/i.test(toPair(parameter)[0]);
  } catch {
    return true;
  }
}

function toPair(text: string): [name: string, value: string] {
  const at = text.indexOf("=");
  const [name, value] = at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
  return [decodeURIComponent(name), decodeURIComponent(value)];
}
