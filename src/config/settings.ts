import { Type } from "@sinclair/typebox";
import type { Static, TSchema } from "@sinclair/typebox";
import {
  BODY_MEMORY_BYTES,
  CALL_BURST,
  CALLS_PER_SECOND,
  CIPHERTEXT_BYTES,
  FAILED_AUTHENTICATIONS_PER_MINUTE,
  MAX_CLAIMS,
  REPLAY_WINDOW_SECONDS,
  SECRET_BYTES,
  SECRET_TTL_SECONDS,
  SESSION_IDLE_SECONDS,
  SESSION_SECONDS,
  TEAM_QUOTA_BYTES,
  TOMBSTONE_SECONDS,
  WAITING_CALLS,
} from "../contract/limits.ts";
import { SIGN_IN_WAYS } from "../contract/states.ts";
import type { DatabaseUrl } from "./database-urls.ts";
import { MAIL_SETTINGS } from "./mail-settings.ts";
import { OBJECT_STORE_SETTINGS } from "./object-store-settings.ts";
import { OIDC_RECORDS } from "./oidc-settings.ts";
import { limit, list, MAIL_ADDRESS, text } from "./setting-kinds.ts";
import { formatDuration } from "./units.ts";

/** The form of a setting's value. */
type SettingKind =
  "text" | "databaseUrl" | "smtpUrl" | "integer" | "duration" | "durations" | "bytes" | "boolean" | "list";

/** One setting, as the manual's list prints it. */
export interface Setting {
  /** The name of its flag, `--data-dir` for `dataDir`. */
  readonly name: string;
  /** The environment variable, if it isn't named after the flag, as `HANDOFF_DATA_DIR` is. */
  readonly variable?: string;
  readonly kind: SettingKind;
  readonly schema: TSchema;
  /** In the form of a value. */
  readonly default?: string;
  readonly doc: string;
  /** The placeholder for the value in the help. */
  readonly valueName: string;
  /** A description of the accepted values, where kind and range don't say it. */
  readonly expected?: string;
  /** Says which part of a wrong text is wrong, without the text; undefined when no single part is. */
  readonly explain?: (given: string) => string | undefined;
}

const flag = { kind: "boolean", schema: Type.Boolean(), default: "false", valueName: "" } as const;

const WEB_PLACE = String.raw`[^\s"<>@/?#]+([/?#][^\s"<>]*)?`;
const MAX_EXPIRES_CHOICES = 8;
/** A name of the DNS that isn't an address. */
export const DOMAIN_NAME = "^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$";
const webAddress = {
  kind: "text",
  schema: Type.String({ pattern: `^https?://${WEB_PLACE}$` }),
  valueName: "URL",
  expected: "an http or https URL without a user",
} as const;

const RECORDS = {
  listen: {
    ...text,
    default: "127.0.0.1:8080",
    valueName: "ADDRESS",
    doc: "Where to listen: `host:port`, `[::1]:port`, `:port` for every address, or `unix:/path`.",
  },
  socketGroup: {
    ...text,
    valueName: "GROUP",
    doc: "Who may connect to the sockets of `--listen unix:…` and `--metrics-listen unix:…` beside the server's user: a group, such as `www-data`, that this user is in.",
  },
  metricsListen: {
    ...text,
    valueName: "ADDRESS",
    doc: "Where to serve metrics for Prometheus, as in `--listen`; nowhere without it. Anyone who reaches it can read them.",
  },
  dataDir: {
    ...text,
    valueName: "FOLDER",
    doc: "Where the database lives. Without it `$STATE_DIRECTORY`, then `$XDG_DATA_HOME/handoff`, then `~/.local/share/handoff`.",
  },
  database: {
    kind: "databaseUrl",
    schema: Type.Unsafe<DatabaseUrl>(Type.Object({})),
    variable: "HANDOFF_DATABASE_URL",
    valueName: "URL",
    expected: "a URL such as postgresql://handoff@db.example/handoff?sslmode=verify-full",
    doc: "Keep everything in PostgreSQL, which several servers can share, and not in the data folder: `postgresql://handoff@db.example/handoff`, or with several hosts, of which it uses the one that can be written. With a password in it only as variable, or in a file.",
  },
  databaseUrlFile: {
    ...text,
    valueName: "FILE",
    doc: "A file with that URL.",
  },
  databasePool: {
    kind: "integer",
    schema: Type.Integer({ minimum: 6, maximum: 1000 }),
    default: "10",
    valueName: "N",
    doc: "The most connections to PostgreSQL that a server holds, besides one that listens.",
  },
  databaseTimeout: {
    kind: "duration",
    schema: Type.Integer({ minimum: 1, maximum: 600 }),
    default: "15s",
    valueName: "DURATION",
    doc: "How long PostgreSQL may take for a statement before it is given up; 2 seconds later also if it says nothing.",
  },
  ...OBJECT_STORE_SETTINGS,
  baseUrl: {
    kind: "text",
    schema: Type.String({ pattern: "^https?://[^\\s?#@/]+(/[^\\s?#@]*[^\\s?#@/])?$" }),
    valueName: "URL",
    expected: "an http or https URL without a user, a slash at the end, a query or a fragment",
    doc: "What links begin with, such as `https://handoff.example`. Without it the address listened on; with `unix:` always give it.",
  },
  tlsCert: {
    ...text,
    valueName: "FILE",
    doc: "Certificate chain (PEM), read again on SIGHUP. Needs `--tls-key`; without both, plain http for a proxy.",
  },
  tlsKey: { ...text, valueName: "FILE", doc: "Private key (PEM)." },
  acme: {
    ...list,
    schema: Type.Array(Type.String({ pattern: DOMAIN_NAME })),
    valueName: "NAME",
    expected: "names that the internet's DNS knows, such as handoff.example: no address, no port, lower case",
    doc: "Get a certificate for this name by ACME, as Let's Encrypt gives it, and renew it. May be repeated. Then `--listen` is `:443` and `--base-url` begins with the first name, unless you give others. You agree to the terms of the authority. For systemd, print the unit anew: `handoff admin service --acme NAME`.",
  },
  acmeContact: {
    kind: "text",
    schema: Type.String({ pattern: `^${MAIL_ADDRESS}$` }),
    valueName: "MAIL",
    expected: "a mail address",
    doc: "Whom the authority writes to about the certificate.",
  },
  acmeDirectory: {
    ...webAddress,
    default: "https://acme-v02.api.letsencrypt.org/directory",
    doc: "The authority's directory (RFC 8555).",
  },
  acmeListen: {
    ...text,
    default: ":80",
    valueName: "ADDRESS",
    doc: "Where the authority checks the name, over HTTP. It has to reach it at port 80 of the name. Everybody else is sent on to HTTPS.",
  },
  trustedProxy: {
    ...list,
    valueName: "CIDR",
    doc: "Whose `X-Forwarded-For` counts: an address, a CIDR range, or `unix`. May be repeated.",
  },
  corsOrigin: {
    ...list,
    schema: Type.Array(Type.String({ pattern: "^https?://(\\[[0-9a-f:.]+\\]|[a-z0-9._-]+)(:\\d{1,5})?$" })),
    valueName: "ORIGIN",
    expected:
      "origins as a browser sends them, such as https://app.example: no path, no slash at the end, lower case, and neither * nor null",
    doc: "An origin whose pages may call the API. May be repeated; without it there are no CORS headers.",
  },
  requireEncrypted: {
    ...flag,
    doc: "Refuse what has not the shape of an age file.",
  },
  showSenders: {
    ...flag,
    default: "true",
    valueName: "BOOL",
    doc: "Tell those who hold a link which signed-in person sent the secret, or asks for one. `false` tells nobody.",
  },
  signIn: {
    kind: "text",
    schema: Type.String({ pattern: `^(${SIGN_IN_WAYS.join("|")})(,(${SIGN_IN_WAYS.join("|")}))*$` }),
    default: SIGN_IN_WAYS.join(","),
    valueName: "WAYS",
    expected: `${SIGN_IN_WAYS.join(" or ")}, or several with commas between them`,
    doc: "How people may sign in to the page. A link always works. Passkeys need HTTPS and a name in `--base-url`, and belong to that name. Mail needs `--smtp-url`.",
  },
  ...OIDC_RECORDS,
  ...MAIL_SETTINGS,
  sessionLifetime: {
    ...limit("duration", SESSION_SECONDS),
    doc: "How long a person stays signed in to the page.",
  },
  sessionIdle: {
    ...limit("duration", SESSION_IDLE_SECONDS),
    doc: "How long a person stays signed in without using the page. An open page that only waits for news isn't used.",
  },
  maxCiphertext: {
    ...limit("bytes", CIPHERTEXT_BYTES),
    doc: "The largest ciphertext of one call; a larger one goes in pieces.",
  },
  maxSecret: {
    ...limit("bytes", SECRET_BYTES),
    doc: "The largest ciphertext in pieces; `0` for none.",
  },
  bodyMemory: {
    kind: "bytes",
    schema: Type.Integer({ minimum: BODY_MEMORY_BYTES.min, maximum: BODY_MEMORY_BYTES.max }),
    valueName: "SIZE",
    doc: "Memory for all bodies that are being read, and for large answers that are being sent, which count three times. At least four times `--max-ciphertext`. Without it an eighth of the machine's or container's, at least five times that.",
  },
  defaultExpires: {
    ...limit("duration", SECRET_TTL_SECONDS),
    doc: "Lifetime of a secret when its creation does not say.",
  },
  maxExpires: {
    ...limit("duration", SECRET_TTL_SECONDS, SECRET_TTL_SECONDS.max),
    doc: "The longest lifetime a secret may ask for; more is refused.",
  },
  expiresChoices: {
    kind: "durations",
    schema: Type.Array(Type.Integer({ minimum: SECRET_TTL_SECONDS.min, maximum: SECRET_TTL_SECONDS.max }), {
      minItems: 1,
      maxItems: MAX_EXPIRES_CHOICES,
      uniqueItems: true,
    }),
    valueName: "DURATIONS",
    expected: `1 to ${MAX_EXPIRES_CHOICES} different durations with commas between them, such as 1h,1d,7d, from ${formatDuration(SECRET_TTL_SECONDS.min)} to ${formatDuration(SECRET_TTL_SECONDS.max)}`,
    doc: "Lifetimes that the page offers to choose from, such as `1h,1d,7d`, beside the default. Without it `1h,1d,7d,30d`, up to `--max-expires`. People can type another one up to that.",
  },
  defaultClaims: {
    ...limit("integer", MAX_CLAIMS),
    doc: "How often a secret can be claimed when its creation does not say. A request then takes one submission.",
  },
  maxClaims: {
    ...limit("integer", MAX_CLAIMS, MAX_CLAIMS.max),
    doc: "The most claims of a secret, and submissions of a request.",
  },
  teamQuota: {
    ...limit("bytes", TEAM_QUOTA_BYTES),
    doc: "What a team may take up: ciphertexts as stored (4.5 KiB at least), and about 1 KiB for each secret and ended one.",
  },
  callsPerSecond: {
    ...limit("integer", CALLS_PER_SECOND),
    doc: "Calls of a credential.",
  },
  callBurst: {
    ...limit("integer", CALL_BURST),
    doc: "Calls of a credential at once, after a pause.",
  },
  failedAuthentications: {
    ...limit("integer", FAILED_AUTHENTICATIONS_PER_MINUTE),
    doc: "Calls of an address in a minute that are refused before, or because of, their credential; further ones are answered 429.",
  },
  waitingCalls: {
    ...limit("integer", WAITING_CALLS),
    doc: "Calls of a credential that may wait at once, streams too.",
  },
  replayWindow: {
    ...limit("duration", REPLAY_WINDOW_SECONDS),
    doc: "How long a claim with an `Idempotency-Key` can be repeated.",
  },
  tombstones: {
    ...limit("duration", TOMBSTONE_SECONDS),
    doc: "How long the metadata of an ended secret can still be seen.",
  },
  brandName: {
    kind: "text",
    schema: Type.String({
      pattern: String.raw`^(?=.*\S)[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]{1,60}$`,
    }),
    valueName: "NAME",
    expected: "a name of at most 60 characters in one line",
    doc: "Name that the page shows in place of `handoff`.",
  },
  brandLogo: {
    ...text,
    valueName: "FILE",
    doc: "Logo that the page shows in place of the mark: an SVG or a PNG of at most 20 KiB. Square ones look best.",
  },
  brandLogoDark: {
    ...text,
    valueName: "FILE",
    doc: "The same for dark themes. Needs `--brand-logo`, which is for both without it.",
  },
  brandColor: {
    kind: "text",
    schema: Type.String({ pattern: "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$" }),
    valueName: "HEX",
    expected: "a color in hex, # and 3 or 6 digits, such as #14563f",
    doc: "Color of links and buttons, such as `#14563f`. The dark theme's is made from it; one that is hard to read is refused.",
  },
  contact: {
    kind: "text",
    schema: Type.String({
      pattern: `^(https://${WEB_PLACE}|mailto:${MAIL_ADDRESS}([?][^\\s"<>]*)?|${MAIL_ADDRESS}|tel:[+]?[0-9().-]{3,})$`,
    }),
    valueName: "ADDRESS",
    expected: "a mail address, or an address that begins with https:, mailto: or tel:",
    doc: "Whom the page names for questions: a mail address, or one that begins with `https:`, `mailto:` or `tel:`. A server that sends mails tells a mail address which keys end within a week.",
  },
  imprintUrl: {
    ...webAddress,
    doc: "Address of the imprint, which the page's foot links to.",
  },
  privacyUrl: {
    ...webAddress,
    doc: "Address of the privacy notice, which the page's foot links to.",
  },
  logLevel: {
    kind: "text",
    schema: Type.Union([Type.Literal("info"), Type.Literal("error"), Type.Literal("silent")]),
    default: "info",
    valueName: "LEVEL",
    expected: "info, error or silent",
    doc: "`info` logs every request, `error` only failures of the server, `silent` nothing.",
  },
  logFormat: {
    kind: "text",
    schema: Type.Union([Type.Literal("json"), Type.Literal("text")]),
    default: "json",
    valueName: "FORMAT",
    expected: "json or text",
    doc: "`json` writes each line of the log as JSON, `text` for people to read.",
  },
  logAddresses: {
    ...flag,
    doc: "Put the address of the client into the log, and into the audit, which everyone with `events:read` can read. Otherwise nothing stores it.",
  },
} as const satisfies Record<string, Omit<Setting, "name">>;

export type SettingId = keyof typeof RECORDS;

/** Every setting of `handoff serve`. */
export const SETTINGS = Object.fromEntries(
  Object.entries(RECORDS).map(([id, record]) => [id, { name: toFlag(id), ...record }]),
) as { readonly [Id in SettingId]: (typeof RECORDS)[Id] & Pick<Setting, "name"> };

/** The values of all settings. Undefined for one without value and default; an unset list is empty. */
export type Settings = {
  readonly [Id in SettingId]: (typeof RECORDS)[Id] extends { kind: "list" } | { default: string }
    ? Static<(typeof RECORDS)[Id]["schema"]>
    : Static<(typeof RECORDS)[Id]["schema"]> | undefined;
};

/** The environment variable of a setting. */
export function environmentName(setting: Setting): string {
  return setting.variable ?? `HANDOFF_${setting.name.toUpperCase().replaceAll("-", "_")}`;
}

function toFlag(id: string): string {
  return id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
