/** Stands for whatever a caller may send: it must not come back, nor be written anywhere. */
export const MARKER = "zq7marker";

const HAK = "hak_000000000000000000000000000000000zq7ma";
const ENVELOPE = { version: 1, ciphertext: "fake-local-test-only" };
const BODY = { envelope: ENVELOPE };
const SECRETS = "/api/v1/secrets";
const REQUESTS = "/api/v1/requests";
const RECIPIENT = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";

/** A request that is to be refused, and how. Without `token` the good key is sent; null sends none. */
export interface Scenario {
  readonly what: string;
  readonly method?: string;
  readonly path?: string;
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
  readonly code: string;
  /** The member `errors` of the answer, where there is one. */
  readonly errors?: readonly unknown[];
}

const post = (what: string, body: unknown, rest: Partial<Scenario> & Pick<Scenario, "status" | "code">): Scenario => ({
  what,
  method: "POST",
  path: SECRETS,
  body,
  ...rest,
});
const malformed = (what: string, body: string) => post(what, body, { status: 400, code: "malformed_json" });
const mismatch = (what: string, body: unknown, ...errors: unknown[]) =>
  post(what, body, { status: 422, code: "schema_mismatch", errors });
const plaintext = (what: string, body: unknown, pointer: string) =>
  post(what, body, { status: 422, code: "plaintext_rejected", errors: [{ pointer, code: "unexpected" }] });
const ask = (what: string, body: unknown, ...errors: unknown[]) =>
  post(what, body, { path: REQUESTS, status: 422, code: "schema_mismatch", errors });
const media = (what: string, type: string, more: Readonly<Record<string, string>> = {}) =>
  post(what, BODY, { headers: { "content-type": type, ...more }, status: 415, code: "unsupported_media_type" });
const query = (what: string, search: string, errors: readonly unknown[]) =>
  post(what, BODY, { path: `${SECRETS}?${search}`, status: 422, code: "schema_mismatch", errors });
const inQuery = (search: string, token?: null): Scenario => ({
  what: `a credential in the query: ${search.split("=")[0]}`,
  path: `${SECRETS}?${search}`,
  ...(token === null ? { token } : {}),
  status: 400,
  code: "credential_in_query",
});
const nowhere = (path: string, method = "GET"): Scenario => ({
  what: `${method} ${path}`,
  path,
  method,
  status: 404,
  code: "not_found",
});
const credential = (what: string, authorization: string, code: string): Scenario => ({
  what,
  path: SECRETS,
  headers: { authorization },
  status: 401,
  code,
});

/** Everything that the gate refuses, in the order of the contract. */
export const SCENARIOS: readonly Scenario[] = [
  nowhere("/api/v1"),
  nowhere("/api/v1/"),
  nowhere(`/api/v1/${MARKER}`),
  nowhere("/api/v1/secrets/"),
  nowhere("/api//v1/secrets"),
  nowhere("/%61pi/v1/secrets"),
  nowhere("/API/V1/secrets"),
  nowhere("/api/v1/Secrets"),
  nowhere("/api/v1/secrets/..%2fcredential"),
  nowhere(`/api/v1/secrets/${MARKER}`),
  nowhere("/api/v1/secrets/sec_069q6gv7k1rqf8a0c2m4e6g8io"),
  nowhere(`/api/v1/secrets/sec_069q6gv7k1rqf8a0c2m4e6g8io/${MARKER}`),
  nowhere("/api/v1/secrets/sec_069q6gv7k1rqf8a0c2m4e6g8io/claim", "POST"),
  nowhere("/api/v1/secrets/sec_069q6gv7k1rqf8a0c2m4e6g8io", "DELETE"),
  nowhere("/api/v1/secrets/%73ec_069q6gv7k1rqf8a0c2m4e6g8io/claim", "POST"),
  nowhere("/api/v2/secrets"),
  { ...nowhere(`/api/v1/${MARKER}?key=${MARKER}`), what: "an unknown path comes before anything else", token: null },

  { ...inQuery(HAK), what: "a bare key in the query" },
  { ...inQuery(`${HAK}=1`), what: "a key as a name in the query" },
  { ...inQuery(`x=%20Bearer%20${HAK}`), what: "a header in the query" },

  { what: "a wrong method", method: "PUT", path: SECRETS, status: 405, code: "method_not_allowed" },
  { what: "OPTIONS", method: "OPTIONS", path: SECRETS, status: 405, code: "method_not_allowed" },
  {
    what: "a wrong method without a credential",
    method: "PATCH",
    path: SECRETS,
    token: null,
    status: 405,
    code: "method_not_allowed",
  },
  {
    what: "GET of a claim",
    path: "/api/v1/secrets/sec_069q6gv7k1rqf8a0c2m4e6g8io/claim",
    status: 405,
    code: "method_not_allowed",
  },

  ...["key", "API_KEY", "apikey", "token", "access_token", "authorization"].map((name) => inQuery(`${name}=${MARKER}`)),
  inQuery(`state=${HAK}`),
  inQuery(`state=Bearer%20${HAK}`),
  inQuery(`token=${MARKER}`, null),

  { what: "no credential", path: SECRETS, token: null, status: 401, code: "credential_missing" },
  {
    what: "no credential and no body",
    method: "POST",
    path: SECRETS,
    token: null,
    status: 401,
    code: "credential_missing",
  },
  credential("HTTP Basic", `Basic ${MARKER}`, "credential_missing"),
  credential("an empty bearer", "Bearer ", "credential_invalid"),
  credential("something that is no token", `Bearer ${MARKER}`, "credential_invalid"),
  credential("a token with a wrong checksum", `Bearer ${HAK}`, "credential_invalid"),
  credential("two tokens", `Bearer ${HAK}, Bearer ${HAK}`, "credential_invalid"),
  {
    what: "a cookie",
    path: SECRETS,
    token: null,
    headers: { cookie: `session=${MARKER}` },
    status: 401,
    code: "credential_missing",
  },

  media("no media type of ours", "text/plain"),
  media("a form", "application/x-www-form-urlencoded"),
  media("a multipart form", "multipart/form-data; boundary=x"),
  media("problem+json", "application/problem+json"),
  media("another charset", "application/json; charset=latin1"),
  media("a further parameter", `application/json; ${MARKER}=1`),
  media("a compressed body", "application/json", { "content-encoding": "gzip" }),
  post("a body that is too large", JSON.stringify({ envelope: { version: 1, ciphertext: "a".repeat(70_000) } }), {
    status: 413,
    code: "payload_too_large",
  }),
  post(
    "a ciphertext a little too large",
    { envelope: { version: 1, ciphertext: "a".repeat(65_537) } },
    { status: 413, code: "payload_too_large" },
  ),

  malformed("no JSON", MARKER),
  malformed("half a document", '{"envelope":'),
  malformed("two documents", "{} {}"),
  malformed("nothing", " "),
  malformed("a byte order mark", `\uFEFF${JSON.stringify(BODY)}`),
  malformed("a member twice", '{"envelope":{"version":1,"ciphertext":"a"},"envelope":{"version":1,"ciphertext":"b"}}'),
  malformed("a member twice, further down", '{"envelope":{"version":1,"version":1,"ciphertext":"a"}}'),
  malformed("a member twice, once in disguise", '{"envelope":{"version":1,"ciphertext":"a"},"\\u0065nvelope":1}'),
  malformed("a lone surrogate", '{"envelope":{"version":1,"ciphertext":"\\ud800"}}'),
  malformed("deep nesting", "[".repeat(20_000)),
  malformed("deep and well-formed nesting", "[".repeat(200) + "]".repeat(200)),

  mismatch("null", "null", { pointer: "", code: "type" }),
  mismatch("a list", [], { pointer: "", code: "type" }),
  mismatch("an empty object", {}, { pointer: "/envelope", code: "missing" }),
  mismatch("a text for an envelope", { envelope: MARKER }, { pointer: "/envelope", code: "type" }),
  mismatch("a further member", { ...BODY, [MARKER]: MARKER }, { pointer: "", code: "unexpected" }),
  mismatch(
    "a further member of the envelope",
    { envelope: { ...ENVELOPE, [MARKER]: 1 } },
    { pointer: "/envelope", code: "unexpected" },
  ),
  mismatch("__proto__", '{"envelope":{"version":1,"ciphertext":"a"},"__proto__":{"a":1}}', {
    pointer: "",
    code: "unexpected",
  }),
  mismatch("constructor", { ...BODY, constructor: 1 }, { pointer: "", code: "unexpected" }),
  mismatch("policy in the body", { ...BODY, expires_in: 60 }, { pointer: "", code: "unexpected" }),
  mismatch(
    "another version",
    { envelope: { ...ENVELOPE, version: 2 } },
    { pointer: "/envelope/version", code: "value" },
  ),
  mismatch(
    "a version in words",
    { envelope: { ...ENVELOPE, version: "1" } },
    { pointer: "/envelope/version", code: "value" },
  ),
  mismatch(
    "a number for a ciphertext",
    { envelope: { ...ENVELOPE, ciphertext: 1 } },
    { pointer: "/envelope/ciphertext", code: "type" },
  ),
  mismatch(
    "an empty ciphertext",
    { envelope: { ...ENVELOPE, ciphertext: "" } },
    { pointer: "/envelope/ciphertext", code: "format" },
  ),
  mismatch(
    "prose",
    { envelope: { ...ENVELOPE, ciphertext: `my password is ${MARKER}` } },
    { pointer: "/envelope/ciphertext", code: "format" },
  ),

  plaintext("a password beside the envelope", { ...BODY, password: MARKER }, "/password"),
  plaintext("a note in the envelope", { envelope: { ...ENVELOPE, note: MARKER } }, "/envelope/note"),
  plaintext("a tell-tale name in capitals", { ...BODY, Secret: MARKER }, "/secret"),

  query("an unknown parameter", `${MARKER}=${MARKER}`, [{ pointer: "/query", code: "unexpected" }]),
  query("a repeated parameter", "expires_in=60&expires_in=61", [{ pointer: "/query/expires_in", code: "repeated" }]),
  query("an unknown repeated parameter", `${MARKER}=1&${MARKER}=2`, [{ pointer: "/query", code: "repeated" }]),
  query("a lifetime in words", `expires_in=${MARKER}`, [{ pointer: "/query/expires_in", code: "type" }]),
  query("a lifetime in another notation", "expires_in=1e3", [{ pointer: "/query/expires_in", code: "type" }]),
  query("a lifetime that is too short", "expires_in=59", [{ pointer: "/query/expires_in", code: "range" }]),
  query("a lifetime that is too long", "expires_in=7776001", [{ pointer: "/query/expires_in", code: "range" }]),
  query("no claims at all", "max_claims=0", [{ pointer: "/query/max_claims", code: "range" }]),
  query("too many claims", "max_claims=101", [{ pointer: "/query/max_claims", code: "range" }]),
  query("a hash that is none", `claim_token_hash=${MARKER}`, [{ pointer: "/query/claim_token_hash", code: "format" }]),
  query("__proto__ as a parameter", "__proto__=1", [{ pointer: "/query", code: "unexpected" }]),

  nowhere(`/api/v1/requests/${MARKER}`),
  nowhere("/api/v1/requests/req_069q6gv7k1rqf8a0c2m4e6g8io"),
  nowhere("/api/v1/requests/req_069q6gv7k1rqf8a0c2m4e6g8io", "DELETE"),
  ask("no recipient", {}, { pointer: "/recipient", code: "missing" }),
  ask("a recipient that is none", { recipient: MARKER }, { pointer: "/recipient", code: "format" }),
  ask(
    "a recipient with a wrong checksum",
    { recipient: RECIPIENT.replace(/.$/, "q") },
    { pointer: "/recipient", code: "format" },
  ),
  ask("a further member of a request", { recipient: RECIPIENT, [MARKER]: 1 }, { pointer: "", code: "unexpected" }),
  {
    ...plaintext("a note in plain words", { recipient: RECIPIENT, note: MARKER }, "/note"),
    path: REQUESTS,
    errors: [{ pointer: "/note", code: "type" }],
  },
  {
    what: "a key where only the token of a link is taken",
    path: `${REQUESTS}/req_069q6gv7k1rqf8a0c2m4e6g8io/invitation`,
    status: 403,
    code: "insufficient_scope",
  },
  {
    what: "a state that nobody can set",
    method: "PATCH",
    path: `${REQUESTS}/req_069q6gv7k1rqf8a0c2m4e6g8io`,
    body: { state: MARKER },
    status: 422,
    code: "schema_mismatch",
    errors: [{ pointer: "/state", code: "value" }],
  },

  {
    what: "an unknown state",
    path: `${SECRETS}?state=${MARKER}`,
    status: 422,
    code: "schema_mismatch",
    errors: [{ pointer: "/query/state", code: "value" }],
  },
  {
    what: "a page that is too large",
    path: `${SECRETS}?limit=101`,
    status: 422,
    code: "schema_mismatch",
    errors: [{ pointer: "/query/limit", code: "range" }],
  },
  {
    what: "a cursor that is none",
    path: `${SECRETS}?cursor=${MARKER}`,
    status: 422,
    code: "schema_mismatch",
    errors: [{ pointer: "/query/cursor", code: "format" }],
  },
  {
    what: "a body where none is taken",
    method: "DELETE",
    path: "/api/v1/secrets/sec_069q6gv7k1rqf8a0c2m4e6g8io",
    body: { a: MARKER },
    status: 422,
    code: "schema_mismatch",
  },

  post("an idempotency key with a space", BODY, {
    headers: { "idempotency-key": `${MARKER} ${MARKER}` },
    status: 400,
    code: "invalid_header",
  }),
  post("an idempotency key that is too long", BODY, {
    headers: { "idempotency-key": "k".repeat(256) },
    status: 400,
    code: "invalid_header",
  }),
];
