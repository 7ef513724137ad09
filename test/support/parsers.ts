import { parseApiKey } from "../../src/cli/handovers/connections.ts";
import { parseId, readLink } from "../../src/cli/handovers/link-arguments.ts";
import { parseScopes } from "../../src/cli/server/administering/scopes.ts";
import { parseListen } from "../../src/cli/server/listen-targets.ts";
import { parseEnvironment } from "../../src/cli/server/systemd/environment-files.ts";
import { parseLabel } from "../../src/cli/state/labels.ts";
import {
  parseAddressees as parseFor,
  parseCount,
  parseExpires,
  parseReferenceFlag,
  parseTimeout,
} from "../../src/cli/terminal/counts.ts";
import { parseDate, parseSpan } from "../../src/cli/terminal/ends.ts";
import { formatTable } from "../../src/cli/terminal/tables.ts";
import { printable, redact } from "../../src/cli/terminal/terminal.ts";
import type { Terminal } from "../../src/cli/terminal/terminal.ts";
import { parseAnswer } from "../../src/client/answers.ts";
import { parseAuditLine } from "../../src/client/audit/lines.ts";
import { parseBaseUrl } from "../../src/client/base-urls.ts";
import { getCredential } from "../../src/client/credentials.ts";
import { createHttpClient } from "../../src/client/http-client.ts";
import type { HttpClient } from "../../src/client/http-client.ts";
import { isReference } from "../../src/client/limits.ts";
import { linkBase } from "../../src/client/link-bases.ts";
import { getInvitation, getRequest, listRequests } from "../../src/client/requests.ts";
import { claimSecret, getSecret, listSecrets } from "../../src/client/secrets.ts";
import {
  parseBegunLogin,
  parseBySchema,
  parseClaim,
  parseCredential,
  parseEvent,
  parseIdOf,
  parseInvitation,
  parseLoginAnswer,
  parsePendingLogin,
  parseReceipt,
  parseRequest,
  parseRequestSummary,
  parseSecret,
} from "../../src/client/shapes.ts";
import { DatabaseUrl } from "../../src/config/database-urls.ts";
import { parseBytes, parseDuration } from "../../src/config/units.ts";
import { decodePieces, isCiphertext } from "../../src/contract/ciphertexts.ts";
import { Credential } from "../../src/contract/credentials.ts";
import { AuditLine, Event } from "../../src/contract/events.ts";
import { linkKindOf } from "../../src/contract/links.ts";
import { parsePersonName } from "../../src/contract/names.ts";
import {
  Invitation,
  RequestMetadata as RequestSchema,
  RequestSummary,
  SubmittedSecret,
} from "../../src/contract/requests.ts";
import { ClaimedSecret, Secret } from "../../src/contract/secrets.ts";
import { isTokenShaped, parseTokenKind } from "../../src/contract/tokens.ts";
import { findRecipient } from "../../src/crypto/age-identities.ts";
import { parseBackupLink } from "../../src/crypto/backup-links.ts";
import { decodeBase64url, encodeBase64url, withoutPadding } from "../../src/crypto/base64url.ts";
import { decodeContent, decodeText, toContent } from "../../src/crypto/contents.ts";
import { splitEntryName } from "../../src/crypto/entry-names.ts";
import { openWithAgeIdentity, openWithPassphrase } from "../../src/crypto/envelopes.ts";
import {
  decodeFields,
  decodeNote,
  isFieldName,
  isSameName,
  parseField,
  problemOfValue,
} from "../../src/crypto/forms.ts";
import { parseHint } from "../../src/crypto/link-hints.ts";
import { decodePart, decodeSeed, splitLink } from "../../src/crypto/links.ts";
import { parseRequestLink, pinOf } from "../../src/crypto/request-links.ts";
import { parseSecretLink } from "../../src/crypto/secret-links.ts";
import { parseAddressees } from "../../src/domain/addressees.ts";
import { detectCiphertextFormat, isAgeFile } from "../../src/domain/age-files.ts";
import { parseRecipientKind } from "../../src/domain/age-recipients.ts";
import { parseIdempotencyKey } from "../../src/domain/idempotency.ts";
import { checkAddress, checkName, parseDomain } from "../../src/domain/names.ts";
import { parseNetwork } from "../../src/domain/values/networks.ts";
import { systemRandom } from "../../src/domain/values/random.ts";
import { linkToken } from "../../src/domain/values/tokens.ts";
import { parseWebhookUrl } from "../../src/domain/webhooks/addresses.ts";
import { addressGroup, clientAddress, parseTrustedProxies } from "../../src/http/gate/addresses.ts";
import { checkBodyHeaders, parseStrictJson } from "../../src/http/gate/bodies.ts";
import { isAsSent } from "../../src/http/gate/paths.ts";
import { findCredentials, parseQuery } from "../../src/http/gate/queries.ts";
import { isOperationPath } from "../../src/http/gate/routes.ts";
import { checkOwnPage, readSession } from "../../src/http/gate/sessions.ts";
import { beginVisit } from "../../src/http/gate/visits.ts";
import { answerText, serveable } from "../../src/http/pages/texts.ts";
import { parseCode } from "../../src/web/pages/typed-codes.ts";
import { parseMailCode } from "../../src/web/parts/typed-mail.ts";
import { parseMask } from "../../src/web/proving/addressees.ts";
import { splitUnseen } from "../../src/web/viewing/unseen-characters.ts";

/** Something that reads what others send. */
export interface Parser {
  /** Of the function; with what the input is made of, where there are several kinds. */
  readonly name: string;
  /** Reads one input. What it throws or rejects with is an answer like any other. */
  readonly parse: (input: never) => unknown;
  /** Each makes an input of about `size` characters or bytes. */
  readonly inputs: readonly Maker<unknown>[];
  /** The length that an input never has, because a header, an argument or a variable ends before it. */
  readonly endBytes?: number;
}

/** Linux takes no argument and no variable of this length, and the server no header. */
const SHORT = { endBytes: 128 * 1024 };

const ID = "069q6gv7k1rqf8a0c2m4e6g8io";
const SEED = "A".repeat(22);
const AGE = "age-encryption.org/v1\n";
const IDENTITY = `AGE-SECRET-KEY-1${"Q".repeat(58)}`;

/** Makes an input of about this size. */
type Maker<Input> = (size: number) => Input;

const CALL = { baseUrl: "https://a", operation: "listSecrets", isOfLink: false } as const;

/** Pieces that make a pattern go back over what it has read: a long run of one, and then what does not fit. */
const PIECES = ["=", "/", ".", " ", "\n", "a", "0", "#", "%", "[", '"', "\\", ":", "\u202e", "a/"];

/** Runs of each of the `pieces` between `before` and each of the `afters`. */
function runs(before = "", afters: readonly string[] = ["!"], pieces = PIECES): Maker<string>[] {
  return pieces.flatMap((piece) =>
    afters.map((after) => (size: number) => before + piece.repeat(size / piece.length) + after),
  );
}

function bytesOf(makers: readonly Maker<string>[]): Maker<Uint8Array<ArrayBuffer>>[] {
  return makers.map((make) => (size) => new TextEncoder().encode(make(size)));
}

const table: Parser[] = [];
function add<Input>(
  name: string,
  parse: (input: Input) => unknown,
  inputs: readonly Maker<Input>[],
  bounds: Pick<Parser, "endBytes"> = {},
): void {
  table.push({ name, parse, inputs, ...bounds });
}

// Links, and what is in them.
const linksTo = (place: string, prefix: string) => [
  ...runs("", [""], ["a", "/", " ", "#", "<", "”", "👉", "%23"]),
  ...runs("<", [""]),
  ...runs(`https://a/${place}/${prefix}_${ID}`, ["%23"], [".", "👉", "%25"]),
  ...runs("https://", [" "], ["/", "a", "/s/sec_", `/${place}/${prefix}_a`, "@", "%", "é"]),
  ...runs(`https://a/${place}/${prefix}_`, ["!"], ["0", "a/"]),
  ...runs(`https://a/${place}/${prefix}_${ID}#1.`, ["!"], ["A", ".", "#", "\n", "="]),
  ...runs(`https://a/${place}/${prefix}_${ID}#1.${SEED}.`, [""], ["A", "."]),
  ...runs(`https://a/${place}/${prefix}_${ID}#1.AGE-SECRET-KEY-1`, ["!", ""], ["Q", "-"]),
];
add("parseSecretLink", parseSecretLink, linksTo("s", "sec"));
add("parseRequestLink", parseRequestLink, linksTo("r", "req"));
add("parseBackupLink", parseBackupLink, linksTo("c", "req"));
add("splitLink", (text: string) => splitLink("secret", text), linksTo("s", "sec"));
add("decodeSeed", decodeSeed, runs());
add("decodePart", (text: string) => decodePart(text, 22), runs());
add("parseHint", parseHint, [...runs(), ...runs("t", [""], ["1"])]);
add("parseBaseUrl", (text: string) => parseBaseUrl(text, true), [
  ...runs("", [""]),
  ...runs("https://a/", ["!"], ["/", "a", ".", "%", " ", "?", "#"]),
]);
add("findRecipient", findRecipient, runs("AGE-SECRET-KEY-1", [""], ["Q", "q", "1"]));
add("pinOf", pinOf, runs("age1", [""], ["q"]));

// Ciphertexts, and what is in them.
add("decodeBase64url", decodeBase64url, runs());
add("withoutPadding", withoutPadding, runs());
add("encodeBase64url", encodeBase64url, [(size) => new Uint8Array(size)]);
const ageFiles = bytesOf([
  ...runs(AGE, ["\n--- A\n"], ["a", "-> ", "-> X25519 ", "-> a\n", "-> X25519 a\nAAAA\n", `${"A".repeat(64)}\n`, "\n"]),
  ...runs(`${AGE}-> X25519 a\n`, ["\n--- A\n"], [`${"A".repeat(64)}\n`, "A", "="]),
  ...runs(`${AGE}-> scrypt `, [" 17\n--- A\n"], ["A", " "]),
  ...runs(`${AGE}-> X25519 ${"A".repeat(43)}\n${"A".repeat(43)}\n--- ${"A".repeat(43)}\n`, [""], ["a"]),
  ...runs(AGE, [`--- ${"A".repeat(43)}\n`], [`-> X25519 ${"C".repeat(42)}E\n${"A".repeat(43)}\n`]),
]);
const ciphertexts = [...runs(), ...ageFiles.map((make) => (size: number) => encodeBase64url(make((size * 3) / 4)))];
const envelopeOf = (ciphertext: string) => ({ version: 1, ciphertext }) as const;
add("openWithPassphrase", (text: string) => openWithPassphrase(envelopeOf(text), "passphrase"), ciphertexts);
add("openWithAgeIdentity", (text: string) => openWithAgeIdentity(envelopeOf(text), IDENTITY), ciphertexts);
add("isCiphertext", isCiphertext, ciphertexts);
add("decodePieces", (text: string) => [...decodePieces(text)].length, ciphertexts);
add("detectCiphertextFormat", detectCiphertextFormat, ciphertexts);
add("isAgeFile", isAgeFile, ageFiles);
add("parseRecipientKind", parseRecipientKind, runs("age1", ["!", ""], ["q", "1", "pq1"]));
add("toPayload", toContent, bytesOf(runs("", [""])));
add("decodeText", decodeText, bytesOf(runs("", ["", "\ud800"])));
add("decodeContent", decodeContent, [...bytesOf(runs("", [""], ["a", "\n"])), ...archives()]);
add("splitEntryName", splitEntryName, [
  ...runs("a"),
  ...runs("con."),
  ...runs("", ["b"], ["a.", ". ", "../", "./", "\u{1F600}"]),
]);
const FORM = "handoff form 1\n";
const FIELDS = "handoff fields 1\n";
add("decodeNote", decodeNote, [
  ...runs(FORM, ["", "\n"], ["a", ":", ": ", "a: text\n", "\n", "\u0301"]),
  ...runs(`${FORM}a`, [": text\n"], ["a", " ", "\u0301", "\u200d"]),
]);
add("decodeFields", decodeFields, [
  ...runs(FIELDS, ["", "\n"], ["a", ":", "a: b\n", "a:\n", "\n", "\r", "  "]),
  ...runs(`${FIELDS}a:\n`, ["", "!"], ["  \n", "  a", "  a\n"]),
  ...runs(`${FIELDS}a: `, ["", "\u0000"], ["a", "\t", "\ud83d\ude42"]),
]);
add("isFieldName", isFieldName, runs("a", ["", "a"], ["a", " ", "\u0301", "\u200d"]));
add("parseField", parseField, runs("a", ["", ":text"], ["a", " ", ":", "\u0301", "\u200d"]));
add("isSameName", (text: string) => isSameName(text, "a"), runs("a", [""], ["a", "\u0301", "\ufdfa"]));
add("problemOfValue", (text: string) => problemOfValue({ name: "a", kind: "text" }, text), runs());

// What servers answer.
add("http client", callAll, [
  ...runs("", [""], ["[", "{", '"', "0", " ", '{"a":', '[{"a":0}', "\\"]),
  ...runs('{"data":[0', ["]}", '],"next_cursor":"x"}'], [",{}", ",0"]),
  ...runs('{"recipient":"age1', ['"}'], ["q", "\\u0000"]),
  ...runs('{"scopes":[""', ["]}"], [',""']),
  ...runs(`{"id":"sec_${ID}","expires_at":"`, ['"}'], ["0", "("]),
]);
add("linkBase", (url: string) => linkBase({ baseUrl: "https://a" } as HttpClient, { url }, "/s/x"), [
  ...runs("https://", ["/s/x"], ["a", "/", "@", "."]),
  ...runs("https://a/", ["!/s/x"], ["a", "/", ".", "%"]),
]);

add(
  "parseAnswer",
  (text: string) => parseAnswer({ status: 200, headers: new Headers(), text }, CALL),
  runs("", [""], ["[", '"', "0"]),
);
const words = runs("", ["", "!"], ["0", "a", "-", " ", "\u202e"]);
add("parseIdOf", (value: unknown) => parseIdOf("secret", value), [...words, ...runs("sec_", ["!"], ["0"])]);
const times = runs("2026-11-21T09:30:00.", ["Z", ""], ["0"]);
add("parseBySchema", (value: unknown) => parseBySchema({ type: "string", format: "date-time" }, value), [
  ...words,
  ...times,
]);
add("parseBySchema, of a name", (value: unknown) => parseBySchema({ type: "string" }, value), words);
add("parseBySchema, of a number", (value: unknown) => parseBySchema({ type: "integer" }, value), words);
const people = runs("", ["", "!"], ["a", "@", ",", "a@b", "a@b,", "*@", ".", " ", "\u0301", "\u202e"]);
add("parseAddressees", parseAddressees, people, SHORT);
add("parseAddressees, of the command line", (text: string) => parseFor([text]), people, SHORT);
add("parseMask", parseMask, people);
add("parseMailCode", parseMailCode, runs("", ["", "!"], ["0", " ", "-", "\u0660"]));
add("parseDomain", parseDomain, people, SHORT);
add("parseNetwork", parseNetwork, runs("", ["", "/8"], ["1", ".", ":", "/", "0:"]), SHORT);
add("isReference", isReference, [...words, ...runs("OPS-", ["!"], ["0"])]);
/** An example of an answer, with one member after the other as long as can be. */
const withLongMembers = (example: object) =>
  Object.keys(example).flatMap((member) =>
    runs("", ["!"], ["a"]).map((make) => (size: number) => ({ ...example, [member]: make(size) })),
  );
const exampleOf = (schema: { readonly examples?: unknown }) => (schema.examples as object[])[0] ?? {};
add("parseSecret", (value: unknown) => parseSecret(value), withLongMembers(exampleOf(Secret)));
add("parseClaim", (value: unknown) => parseClaim(value, `sec_${ID}`), withLongMembers(exampleOf(ClaimedSecret)));
add("parseRequest", (value: unknown) => parseRequest(value), withLongMembers(exampleOf(RequestSchema)));
add("parseRequestSummary", parseRequestSummary, withLongMembers(exampleOf(RequestSummary)));
add("parseInvitation", parseInvitation, withLongMembers(exampleOf(Invitation)));
add("parseReceipt", parseReceipt, withLongMembers(exampleOf(SubmittedSecret)));
add("parseEvent", parseEvent, withLongMembers(exampleOf(Event)));
add("parseAuditLine", parseAuditLine, withLongMembers(exampleOf(AuditLine)));
add("parseCredential", parseCredential, withLongMembers(exampleOf(Credential)));
const begun = {
  device_code: "x",
  user_code: "BCDF-GHJK",
  verification_uri: "https://handoff.example/login",
  verification_uri_complete: "https://handoff.example/login#BCDF-GHJK",
  expires_in: 600,
  interval: 3,
};
add("parseBegunLogin", parseBegunLogin, withLongMembers(begun));
add(
  "parsePendingLogin",
  parsePendingLogin,
  withLongMembers({ machine: "m", address: null, created_at: "2026-11-21T09:30:00.000Z" }),
);
add("parseCode", parseCode, runs("BCDF-GHJK", [""], ["a", "-", " ", "\u0301"]));
add("parseLoginAnswer", parseLoginAnswer, withLongMembers({ state: "pending", api_key: null, expires_at: null }));
add(
  "parseEnvironment",
  (text: string) => parseEnvironment(new TextEncoder().encode(text), "env"),
  runs("A=", ["", "\n"], ["a", "'", '"', "\\", "\n", "#", " "]),
);
add(
  "splitUnseen",
  splitUnseen,
  runs("a", ["", "b"], ["\u200b", "\u202e", "\u200d", "a\u200d", "\u{1f600}\u200d", "1\ufe0f"]),
);

// What callers of the server send.
add("parseStrictJson", parseStrictJson, [
  ...bytesOf(runs()),
  ...bytesOf(runs('{"', ['":0}'], ["a", '\\"', "\\\\"])),
  ...bytesOf(runs('{"a":"', ['"}', ""], ['\\"', "\\\\", "\\u0022", "a"])),
]);
const queries = [
  ...runs("", [""], ["=", "%", "+", "a"]),
  ...runs("a=", [""], ["&a=", "&", "=", "%00", "+", "bearer "]),
];
add("findCredentials", findCredentials, queries);
add("parseQuery", (text: string) => parseQuery(text, []), queries);
add("parseTokenKind", parseTokenKind, runs("hak_", [""], ["a"]));
add("isTokenShaped", isTokenShaped, runs("hak_", [""], ["a"]));
add("linkKindOf", linkKindOf, runs("https://a", ["", "/s/sec_"], ["/", "/s", "/s/", "a"]));
add("parseIdempotencyKey", parseIdempotencyKey, runs());
add(
  "linkToken",
  (givenHash: string) =>
    linkToken({ kind: "claim", random: systemRandom, credential: "", idempotencyKey: undefined, givenHash }, ""),
  runs(),
);
add("checkAddress", checkAddress, runs("a@", ["", "a"], ["a", ".", "\u0301", "\u200d"]));
add("checkName", (name: string) => checkName("team", name), runs("a"));
add("isOperationPath", isOperationPath, runs("/api/v1/secrets/"));
add(
  "beginVisit",
  (path: string) => beginVisit(new Request(`http://localhost/${path}`)),
  runs("", [""], ["a", "/", "?", "%"]),
);
add("addressGroup", addressGroup, [...runs(), ...runs("fe80:", [""], [":0", "%"])]);
const nobody = parseTrustedProxies(["127.0.0.1"]);
add(
  "clientAddress",
  (hops: string) => clientAddress("127.0.0.1", hops, nobody),
  runs("", [",127.0.0.1"], [",", " ", "127.0.0.1,"]),
  SHORT,
);
add(
  "parseTrustedProxies",
  (text: string) => parseTrustedProxies([text]),
  runs("", ["", "/8"], ["1", "/", ":", "."]),
  SHORT,
);
const TEXT = serveable("text ".repeat(1000));
const headersOf = (name: string, value: string) => new Headers({ [name]: value });
const headerValues = (before: string) => runs(before, ["!"], ["=", ";", " ", "a", '"', ",", "utf-8", "a=b; ", "%"]);
add("readSession", (value: string) => readSession(headersOf("cookie", value)), headerValues("__Host-handoff="), SHORT);
add(
  "checkBodyHeaders",
  (value: string) => checkBodyHeaders(headersOf("content-type", value), { takesBody: true }, 1),
  headerValues("application/json"),
  SHORT,
);
add(
  "checkOwnPage",
  (value: string) => checkOwnPage({ method: "POST", headers: headersOf("origin", value) } as Request, "https://a"),
  headerValues("https://"),
  SHORT,
);

for (const name of ["accept-encoding", "if-none-match"]) {
  add(
    `answerText, by ${name}`,
    (value: string) =>
      answerText(TEXT, { request: { headers: headersOf(name, value) } as Request, set: { headers: {} } }),
    headerValues("gzip"),
    SHORT,
  );
}
add("isAsSent", (path: string) => isAsSent(path, `${path}%`), runs("/", ["", "/"]));

// What people type, paste or set, and what they are shown.
add("parsePersonName", parsePersonName, runs("A", ["", "a"], ["a", " ", "\u0301", "\u200d", "\n"]));
add("parseDuration", parseDuration, runs("1"));
add("parseBytes", parseBytes, runs("1"));
add("parseExpires", parseExpires, runs("1"));
add("parseTimeout", (text: string) => parseTimeout({ timeout: text, wait: true }), runs("1"));
add("parseSpan", parseSpan, runs("1"));
add("parseDate", parseDate, runs("2026-01-01T1"));
add("parseCount", (text: string) => parseCount("--n", text), runs("1"));
add("parseReferenceFlag", parseReferenceFlag, [...runs(), ...runs("OPS-", ["!"], ["0"])]);
add(
  "DatabaseUrl",
  (text: string) => String(new DatabaseUrl(text)),
  [
    ...runs("postgresql://", ["!"], ["a", ":", "@", "/", "?", ",", "[", "a,", "%41"]),
    ...runs("postgresql://h/d?", ["!"], ["a=b&", "&", "%41"]),
  ],
  SHORT,
);
add("parseLabel", parseLabel, runs("a", ["a"], ["a", " ", "\n", "\u0301", "👩\u200d💻"]));
add(
  "parseWebhookUrl",
  (text: string) => parseWebhookUrl(text, false),
  runs("https://", ["!"], ["a", ".", "1.", ":", "[", "/", "@", "%"]),
);
add("parseApiKey", (text: string) => parseApiKey(text, "this"), runs("hak_"));
add("parseId", (text: string) => parseId("secret", text), runs("sec_"));
const piped = (text: string) =>
  ({ isTerminal: { in: false }, readAll: async () => new TextEncoder().encode(text) }) as unknown as Terminal;
add("readLink", (text: string) => readLink(piped(text), undefined, { command: "handoff open" }), runs("https://"));
add("parseListen", parseListen, [...runs(), ...runs("a:", [""], ["0"]), ...runs("[", ["]:1"], [":"])], SHORT);
add("parseScopes", (text: string) => parseScopes([text]), runs("secrets:", [""], ["a", ",", ":"]));
add("redact", redact, [...runs(), ...runs("", ["#1.a"], ["AGE-SECRET-KEY-", "hak_", "hak_0000000", "#1", "%23"])]);
add("printable", printable, runs("", [""]));
add("formatTable", (text: string) => formatTable(["A"], [[text]]), runs("", [""]));

/** Every function that reads what others send, with the worst that it can be sent. A new one belongs here. */
export const PARSERS: readonly Parser[] = table;

/** Calls what reads the answers of a server that answers everything with `answer`. */
async function callAll(answer: string): Promise<void> {
  const respond = async () => new Response(answer, { headers: { "content-type": "application/json" } });
  const client = createHttpClient({
    baseUrl: "http://127.0.0.1:1",
    credential: undefined,
    fetch: respond,
  });
  const id = `sec_${ID}`;
  const link = { baseUrl: client.baseUrl, id: `req_${ID}`, seed: new Uint8Array(16), pin: SEED };
  await Promise.allSettled([
    getSecret(client, id),
    claimSecret(client, id, "key"),
    getCredential(client),
    listSecrets(client, { limit: 100 }),
    listRequests(client, { limit: 100 }),
    getRequest(client, link.id),
    getInvitation(client, link),
  ]);
}

/** Archives with many files, long names, and pax records that are long, many, or damaged. */
function archives(): Maker<Uint8Array>[] {
  const entry = (name: string, type: string, content: string) => {
    const header = new Uint8Array(512);
    const write = (at: number, text: string) => header.set(new TextEncoder().encode(text), at);
    write(0, name);
    write(100, "0000600\0");
    write(108, "0000000\0");
    write(116, "0000000\0");
    write(124, `${content.length.toString(8).padStart(11, "0")}\0`);
    write(136, "00000000000\0");
    write(148, "        ");
    write(156, type);
    write(257, "ustar\x0000");
    write(
      148,
      `${header
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, "0")}\0 `,
    );
    const padded = new Uint8Array(Math.ceil(content.length / 512) * 512);
    padded.set(new TextEncoder().encode(content));
    return Buffer.concat([header, padded]);
  };
  const record = (key: string, value: string) => {
    const rest = ` ${key}=${value}\n`;
    let length = rest.length;
    while (String(length).length + rest.length !== length) length = String(length).length + rest.length;
    return length + rest;
  };
  const copies = (size: number, piece: string) => piece.repeat(Math.ceil(size / piece.length));
  const entries = (size: number, piece: Uint8Array) =>
    Buffer.concat(Array<Uint8Array>(Math.ceil(size / piece.length)).fill(piece));
  const file = Buffer.concat([entry("a", "0", ""), new Uint8Array(1024)]);
  const pax = (content: string) => Buffer.concat([entry("x", "x", content), file]);
  return [
    (size) => Buffer.concat([entries(size, entry("a", "0", "")), file]),
    (size) => Buffer.concat([entries(size, entry("a", "x", record("path", "b"))), file]),
    (size) => Buffer.concat([entry("x", "L", copies(size, "a/")), file]),
    (size) => Buffer.concat([entry("x", "g", copies(size, record("a", "b"))), file]),
    ...["a", "/", ".", " ", "../"].map((piece) => (size: number) => pax(record("path", `a${copies(size, piece)}b`))),
    ...[record("a", "b"), "1", " ", "9 a=b\n"].map((piece) => (size: number) => pax(copies(size, piece))),
  ];
}
