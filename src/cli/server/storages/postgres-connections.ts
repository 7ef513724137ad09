import { createSecureContext } from "node:tls";
import { readBounded } from "../../../config/bounded-texts.ts";
import { isKnownParameter, portsOf } from "../../../config/database-urls.ts";
import type { DatabaseUrlParts } from "../../../config/database-urls.ts";
import type { ConnectionOptions } from "../../../store/postgres/engine/database.ts";
import type { HostOptions } from "../../../store/postgres/engine/primaries.ts";
import { usageError } from "../../terminal/terminal.ts";
import type { CommandError } from "../../terminal/terminal.ts";

const TLS_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;
type TlsMode = (typeof TLS_MODES)[number];

/** The servers that may be wanted among several: any that accepts writes. */
const TARGETS = ["any", "read-write", "primary"] as const;

/** libpq's words for whether a password is valid for one TLS connection only. */
const BINDINGS = ["disable", "prefer", "require"] as const;

/** In place of a file: the CAs built into this program, as in a browser. */
const SYSTEM_CAS = "system";

const DEFAULT_PORT = 5432;
const CONNECT_SECONDS = 10;
const MOST_CONNECT_SECONDS = 600;
/** After this time PostgreSQL rolls back the transaction of a stopped process. It is less than others wait. */
const IDLE_SECONDS = 10;
/** After this time an unused connection is closed, before a firewall silently drops it. */
const UNUSED_SECONDS = 60;
/** The time that PostgreSQL has to report its own timeout. */
const GRACE_SECONDS = 2;

/**
 * Returns how the driver connects to the database of a URL, whose parameters are those of libpq (34.1.2). Throws
 * CommandError for a parameter that isn't known, or whose file can't be read.
 */
export function toConnection(
  url: DatabaseUrlParts,
  { pool, timeoutSeconds }: { readonly pool: number; readonly timeoutSeconds: number },
): ConnectionOptions {
  const {
    sslmode = "prefer",
    sslrootcert,
    sslcert,
    sslkey,
    application_name: application = "handoff",
    connect_timeout: connectTimeout = String(CONNECT_SECONDS),
    target_session_attrs: target = "any",
    channel_binding: binding = "disable",
    ...unknown
  } = Object.fromEntries(url.parameters);
  const [first] = Object.keys(unknown);
  if (first !== undefined) {
    // Anything else may be part of a password with an & in it.
    const named = isKnownParameter(first) ? `the parameter '${first}', which` : "a parameter that";
    throw wrong(
      `${named} isn't known here. Known are user, password, host, port, dbname, sslmode, sslrootcert, sslcert, sslkey, channel_binding, application_name, connect_timeout and target_session_attrs`,
    );
  }
  const tlsMode = oneOf(TLS_MODES, sslmode, "an sslmode that there isn't");
  oneOf(TARGETS, target, "a target_session_attrs that can't be used, because everything is written to the database");
  const channelBinding = oneOf(BINDINGS, binding, "a channel_binding that there isn't");
  const hosts = toHosts(url);
  const [host] = hosts;
  const seconds = /^\d{1,3}$/.test(connectTimeout) ? Number(connectTimeout) : 0;
  if (seconds < 1 || seconds > MOST_CONNECT_SECONDS) {
    throw wrong(`a connect_timeout that isn't a number of seconds from 1 to ${MOST_CONNECT_SECONDS}`);
  }
  if ((sslcert === undefined) !== (sslkey === undefined)) {
    throw wrong("one of sslcert and sslkey: they belong together. Give both or none");
  }
  const files = { ca: sslrootcert, cert: sslcert, key: sslkey };
  return {
    ...host,
    // Only one of several accepts writes, and which one can change.
    ...((hosts.length > 1 || target !== "any") && { hosts }),
    username: url.user ?? "handoff",
    password: url.password ?? "",
    database: url.database ?? url.user ?? "handoff",
    tls: toTls(tlsMode, files),
    channelBinding,
    max: pool,
    connectionTimeout: seconds,
    idleTimeout: UNUSED_SECONDS,
    answerSeconds: timeoutSeconds + GRACE_SECONDS,
    connection: {
      application_name: application,
      statement_timeout: timeoutSeconds * 1000,
      lock_timeout: timeoutSeconds * 1000,
      idle_in_transaction_session_timeout: IDLE_SECONDS * 1000,
    },
  };
}

/** The hosts of a URL, each with its port. Throws CommandError. */
function toHosts(url: DatabaseUrlParts): HostOptions[] {
  const ports = portsOf(url);
  if (!ports) {
    throw wrong("a port that there isn't: give a number from 1 to 65535");
  }
  const names = (url.host ?? "").split(",");
  if (ports.length > 1 && ports.length !== names.length) {
    throw wrong("another number of ports than of hosts: give one for all, or one each");
  }
  return names.map((name, index) => {
    const number = (ports.length > 1 ? ports[index] : ports[0]) ?? DEFAULT_PORT;
    if (name.startsWith("/")) return { path: `${name}/.s.PGSQL.${number}` };
    return { hostname: name || "localhost", port: number };
  });
}

/** A file that the URL names. */
const TLS_FILE = { what: "what the URL of the database names", mostKib: 1024 };

/** The files that a URL names. */
type TlsFiles = Readonly<Record<"ca" | "cert" | "key", string | undefined>>;

/** Returns the one of `values` that equals `text`. Throws CommandError that names `what`. */
function oneOf<T extends string>(values: readonly T[], text: string, what: string): T {
  const value = values.find((each) => each === text);
  if (value === undefined) throw wrong(`${what}: give one of ${values.join(", ")}`);
  return value;
}

function wrong(what: string): CommandError {
  return usageError(`the URL of the database has ${what}`);
}

/**
 * Returns the driver's TLS options for a mode. As in libpq, a CA is checked in every mode but "disable". With a CA or a
 * certificate, every connection uses TLS.
 */
function toTls(mode: TlsMode, files: TlsFiles): ConnectionOptions["tls"] {
  if (mode === "disable") return mode;
  const read = (path: string) => Buffer.from(readBounded(path, TLS_FILE)).toString();
  const isOwnCa = files.ca !== undefined && files.ca !== SYSTEM_CAS;
  const given = {
    ...(isOwnCa && { ca: read(files.ca) }),
    ...(files.cert !== undefined && { cert: read(files.cert) }),
    ...(files.key !== undefined && { key: read(files.key) }),
  };
  const verifiesName = mode === "verify-full" || files.ca === SYSTEM_CAS;
  const verifies = verifiesName || mode === "verify-ca" || isOwnCa;
  if (!verifies && Object.keys(given).length === 0) return mode;
  try {
    createSecureContext(given);
  } catch {
    throw usageError(
      "the URL of the database names a file in sslrootcert, sslcert or sslkey that isn't a certificate or key in PEM, or a key that isn't the certificate's",
    );
  }
  return {
    ...given,
    rejectUnauthorized: verifies,
    // Only verify-full checks the name in the certificate.
    ...(verifies && !verifiesName && { checkServerIdentity: () => undefined }),
  };
}
