import { Type } from "@sinclair/typebox";
import type { TProperties, TSchema } from "@sinclair/typebox";
import { Credential, Rules } from "../../src/contract/credentials.ts";
import { RequestMetadata } from "../../src/contract/requests.ts";
import { REQUEST_STATES, SECRET_STATES } from "../../src/contract/states.ts";

// What --json prints, written once: the manual's lists are printed from it, and the program's output is checked with
// it.

/** Something that is printed: what it has beside what its `base` has. */
interface Shape {
  readonly base?: ShapeName;
  readonly members: TProperties;
}

const TIME = "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3})?Z$";

const text = Type.String({ minLength: 1 });
const number = Type.Integer({ minimum: 0 });
const flag = Type.Boolean();
const time = Type.String({ pattern: TIME, title: "time" });
const strings = Type.Array(text, { title: "array of strings" });
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const closed = (members: TProperties, title: string) => Type.Object(members, { title, additionalProperties: false });
const named = closed({ id: text, name: text }, "`id`, `name`");
const person = closed({ name: orNull(text), address: text, team: text }, "`name`, `address`, `team`");
/** A browser, as it called itself. */
const browsed = { browser: orNull(text), system: orNull(text) };
const countsOf = (states: readonly string[]) =>
  closed(Object.fromEntries(states.map((state) => [state, number])), "number of each state");
const happened = {
  id: text,
  type: text,
  created_at: time,
  secret_id: orNull(text),
  request_id: orNull(text),
  identity: orNull(text),
  actor: orNull(closed({ kind: text, id: orNull(text), address: orNull(text) }, "`kind`, `id`, `address`")),
  reference: orNull(text),
  ask: orNull(closed({ id: text, words: strings }, "`id`, `words`")),
};
const event = closed(happened, "event");
const submission = closed({ secret_id: text, state: text, created_at: time }, "submission");
const limits = Type.Object(Credential.properties.limits.properties, {
  title: "as in the API",
  additionalProperties: false,
});

const rules = orNull(Type.Object(Rules.properties, { title: "as in the API", additionalProperties: false }));

const members = (all: TProperties): Shape => ({ members: all });
const more = (base: ShapeName, all: TProperties): Shape => ({ base, members: all });

const stored = {
  id: text,
  state: text,
  team: named,
  created_at: time,
  expires_at: time,
  ended_at: orNull(time),
  created_by: orNull(text),
  reference: orNull(text),
};
const names = { reference: orNull(text), label: orNull(text) };
const chosen = { for: orNull(strings) };
const approved = { approval: orNull(text) };
const origin = { other_origin: orNull(text) };
const place = { data_dir: Type.Optional(text), database: Type.Optional(text) };
const backedUp = { teams: number, identities: number, keys: number, secrets: number, requests: number };
const large = { large_secrets: number, large_bytes: number };
const counted = {
  identities: number,
  people: number,
  keys: number,
  secrets: countsOf(SECRET_STATES),
  requests: countsOf(REQUEST_STATES),
};

type ShapeName =
  | "team"
  | "new team"
  | "team with rules"
  | "team with quota"
  | "team with counts"
  | "counts of a team"
  | "key"
  | "minted key"
  | "identity"
  | "person"
  | "person with sign-ins"
  | "invited person"
  | "imported person"
  | "stored secret"
  | "stored request"
  | "webhook"
  | "new webhook"
  | "webhook with a new secret"
  | "webhook with its place"
  | "tried webhook"
  | "call of a webhook"
  | "tried mail"
  | "log entry"
  | "audited event"
  | "hash of the log"
  | "backup"
  | "restored backup"
  | "move"
  | "undone move"
  | "finding"
  | "setting"
  | "sent secret"
  | "secret"
  | "labeled secret"
  | "secret with its history"
  | "ask"
  | "decided ask"
  | "new request"
  | "request"
  | "labeled request"
  | "kept request"
  | "receipt"
  | "opened secret"
  | "credential"
  | "login"
  | "event"
  | "generated password"
  | "parts of a link"
  | "parts of a request link"
  | "versions";

export const SHAPES: Readonly<Record<ShapeName, Shape>> = {
  team: members({ id: text, name: text, created_at: time, stored_bytes: number }),
  "new team": more("team", place),
  "team with rules": more("team", { rules }),
  "team with quota": more("team with rules", { quota_bytes: orNull(number), has_own_quota: flag }),
  "team with counts": more("team with quota", counted),
  "counts of a team": members({ id: text, name: text, stored_bytes: number, ...counted }),
  key: members({
    id: text,
    name: orNull(text),
    hint: text,
    state: text,
    identity: named,
    team: named,
    scopes: strings,
    created_at: time,
    expires_at: orNull(time),
    revoked_at: orNull(time),
    last_used_at: orNull(time),
    exposed_at: orNull(time),
    successor_id: orNull(text),
    networks: orNull(strings),
  }),
  "minted key": more("key", { token: text }),
  identity: members({
    id: text,
    name: text,
    team: named,
    scopes: strings,
    created_at: time,
    disabled_at: orNull(time),
  }),
  person: members({
    id: text,
    address: text,
    name: orNull(text),
    team: named,
    created_at: time,
    removed_at: orNull(time),
  }),
  "person with sign-ins": more("person", {
    scopes: strings,
    sessions: Type.Array(
      closed({ id: text, way: text, ...browsed, created_at: time, last_used_at: time, expires_at: time }, "session"),
      { title: "array: `id`, `way`, `browser`, `system`, `created_at`, `last_used_at`, `expires_at`" },
    ),
    passkeys: Type.Array(closed({ id: text, ...browsed, created_at: time, last_used_at: orNull(time) }, "passkey"), {
      title: "array: `id`, `browser`, `system`, `created_at`, `last_used_at`",
    }),
    account: orNull(closed({ issuer: text, subject: text, created_at: time }, "`issuer`, `subject`, `created_at`")),
  }),
  "invited person": more("person", { url: text, expires_at: time }),
  "imported person": more("person", { change: text }),
  "stored secret": members({
    ...stored,
    ciphertext_bytes: number,
    max_claims: number,
    claims: number,
    request_id: orNull(text),
  }),
  "stored request": members({ ...stored, max_submissions: number, submission_count: number }),
  webhook: members({
    id: text,
    team: named,
    host: text,
    format: text,
    events: orNull(strings),
    allow_http: flag,
    state: text,
    paused_at: orNull(time),
    paused_by: orNull(text),
    failing_since: orNull(time),
    next_try_at: orNull(time),
    created_at: time,
  }),
  "new webhook": more("webhook", { url: text, signing_secret: orNull(text) }),
  "webhook with a new secret": more("webhook", { signing_secret: text, former_secret_until: time }),
  "webhook with its place": more("webhook", {
    url: text,
    former_secret_until: orNull(time),
    last_event_id: orNull(text),
    behind_since: orNull(time),
  }),
  "tried webhook": members({
    event_id: text,
    duration_ms: number,
    status: orNull(number),
    failure: orNull(text),
    answer: orNull(Type.String()),
  }),
  "call of a webhook": members({
    event_id: text,
    event_type: text,
    at: time,
    duration_ms: number,
    status: orNull(number),
    failure: orNull(text),
    outcome: text,
    next_try_at: orNull(time),
  }),
  "tried mail": members({ result: text, reason: orNull(text), reply: orNull(text) }),
  "log entry": members({
    id: number,
    at: time,
    user: text,
    sudo_user: orNull(text),
    action: text,
    subject: closed({ id: orNull(text), name: orNull(text) }, "`id` string?, `name` string?"),
    team: closed({ id: orNull(text), name: orNull(text) }, "`id` string?, `name` string?"),
    details: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), flag, Type.Null(), strings]), {
      title: "object",
    }),
  }),
  "audited event": members({
    time,
    type: text,
    secret_id: orNull(text),
    request_id: orNull(text),
    reference: orNull(text),
    actor: orNull(text),
    identity: orNull(text),
    name: orNull(text),
    address: orNull(text),
    proof: orNull(text),
    network: orNull(text),
    ask: orNull(text),
    id: text,
  }),
  "hash of the log": members({ sealed_until: orNull(time), hash: orNull(text) }),
  backup: members({
    file: text,
    taken_at: time,
    with_secrets: flag,
    ...backedUp,
    ...large,
    removed: strings,
  }),
  "restored backup": members({
    ...place,
    taken_at: time,
    with_secrets: flag,
    ...backedUp,
    ...large,
    ended_secrets: number,
    ended_requests: number,
  }),
  move: members({ data_dir: text, database: text, ...backedUp, ...large }),
  "undone move": members({ data_dir: text, database: text }),
  finding: members({ check: text, level: text, text }),
  setting: members({
    name: text,
    value: orNull(Type.Union([Type.String(), Type.Number(), flag, strings], { title: "as in a file of settings" })),
    from: text,
    source: text,
  }),
  "sent secret": members({
    url: text,
    id: text,
    state: text,
    expires_at: time,
    max_claims: number,
    ...names,
    ...chosen,
    ...approved,
    ...origin,
  }),
  secret: members({
    id: text,
    state: text,
    envelope_version: number,
    ciphertext_bytes: number,
    ciphertext_format: text,
    created_at: time,
    expires_at: time,
    max_claims: number,
    claims: number,
    ended_at: orNull(time),
    created_by: orNull(text),
    request_id: orNull(text),
    reference: orNull(text),
    sender: orNull(person),
    ...chosen,
    ...approved,
  }),
  "labeled secret": more("secret", { label: orNull(text) }),
  "secret with its history": more("labeled secret", {
    history: orNull(Type.Array(event, { title: "array of events" })),
  }),
  ask: members({
    id: text,
    secret_id: text,
    created_at: time,
    sender: orNull(person),
    words: strings,
    address: orNull(text),
    identity: orNull(text),
    asked_at: time,
    expires_at: time,
    ...names,
  }),
  "decided ask": more("ask", { state: text }),
  "new request": members({
    url: text,
    id: text,
    expires_at: time,
    max_submissions: number,
    ...names,
    ...chosen,
    ...origin,
    fields: Type.Array(closed({ name: text, kind: text }, "field"), { title: "array of `name`, `kind`" }),
  }),
  request: members({
    id: text,
    state: text,
    recipient: Type.String({ pattern: RequestMetadata.properties.recipient.pattern ?? "" }),
    created_at: time,
    expires_at: time,
    max_submissions: number,
    submission_count: number,
    ended_at: orNull(time),
    created_by: orNull(text),
    reference: orNull(text),
    ...chosen,
    submissions: Type.Array(submission, { title: "array of `secret_id`, `state`, `created_at` time" }),
  }),
  "labeled request": more("request", { label: orNull(text) }),
  "kept request": members({
    id: text,
    server: text,
    state: orNull(text),
    waiting: orNull(number),
    note: orNull(text),
    ...names,
  }),
  receipt: members({ secret_id: text, state: text }),
  "opened secret": members({
    kind: Type.Union(
      ["text", "binary", "files", "both", "fields"].map((kind) => Type.Literal(kind)),
      { title: "`text`, `binary`, `files`, `both` or `fields`" },
    ),
    text: Type.Optional(Type.String()),
    base64: Type.Optional(Type.String()),
    fields: Type.Optional(Type.Record(Type.String(), Type.String(), { title: "value of each name" })),
    paths: Type.Optional(strings),
  }),
  credential: members({
    url: text,
    server_version: orNull(text),
    kind: text,
    key_id: orNull(text),
    identity: orNull(named),
    team: orNull(named),
    person: orNull(person),
    scopes: strings,
    expires_at: orNull(time),
    team_stored_bytes: orNull(number),
    limits,
    rules,
  }),
  login: members({
    url: text,
    identity: orNull(text),
    team: orNull(text),
    scopes: strings,
    expires_at: orNull(time),
    kept_in: text,
  }),
  event: members(happened),
  "generated password": members({ text, bits: number }),
  "parts of a link": members({ server: text, id: text, claim_token: text, age_passphrase: text }),
  "parts of a request link": members({ server: text, id: text, submit_token: text, note_passphrase: text, pin: text }),
  versions: members({ version: text, commit: text, date: text, bun: text, sqlite: text }),
};

/** The ways in which a command prints: one object or an array of them on a line, or an object on each line. */
export interface Printed {
  readonly as: "object" | "array" | "lines";
  readonly shape: ShapeName;
  /** The shape of the last line, where it has another one. */
  readonly last?: ShapeName;
}

const one = (shape: ShapeName): Printed => ({ as: "object", shape });
const many = (shape: ShapeName): Printed => ({ as: "array", shape });

/** Every command that takes --json, with what it may print. Of `run`, only errors are JSON. */
export const COMMANDS: Readonly<Record<string, readonly Printed[]>> = {
  send: [one("sent secret")],
  open: [one("opened secret")],
  run: [],
  approve: [many("ask"), one("decided ask"), many("decided ask")],
  status: [one("secret with its history"), one("labeled request")],
  list: [many("labeled secret")],
  extend: [one("secret")],
  revoke: [one("secret"), one("request")],
  events: [{ as: "lines", shape: "event" }],
  gen: [one("generated password")],
  link: [one("parts of a link"), one("parts of a request link")],
  request: [one("new request")],
  submit: [one("receipt")],
  collect: [many("kept request"), one("opened secret")],
  login: [one("login")],
  whoami: [one("credential")],
  config: [many("setting")],
  version: [one("versions")],
  "admin team create": [one("new team")],
  "admin team list": [many("team with quota")],
  "admin team show": [one("team with counts")],
  "admin team rename": [one("team")],
  "admin team quota": [one("team with quota")],
  "admin team rules": [one("team with rules")],
  "admin team delete": [one("team")],
  "admin key create": [one("minted key")],
  "admin key list": [many("key")],
  "admin key show": [one("key")],
  "admin key rotate": [one("minted key")],
  "admin key revoke": [one("key")],
  "admin identity list": [many("identity")],
  "admin identity rename": [one("identity")],
  "admin identity scopes": [one("identity")],
  "admin identity disable": [one("identity")],
  "admin identity enable": [one("identity")],
  "admin identity delete": [one("identity")],
  "admin person add": [one("invited person"), many("invited person")],
  "admin person import": [many("imported person")],
  "admin person list": [many("person")],
  "admin person show": [one("person with sign-ins")],
  "admin person passkey remove": [one("person")],
  "admin person sign-out": [one("person")],
  "admin person remove": [one("person")],
  "admin secret list": [many("stored secret")],
  "admin secret revoke": [one("stored secret")],
  "admin request list": [many("stored request")],
  "admin request revoke": [one("stored request")],
  "admin webhook create": [one("new webhook")],
  "admin webhook list": [many("webhook")],
  "admin webhook show": [one("webhook with its place")],
  "admin webhook pause": [one("webhook")],
  "admin webhook resume": [one("webhook")],
  "admin webhook delete": [one("webhook")],
  "admin webhook test": [one("tried webhook")],
  "admin webhook rotate-secret": [one("webhook with a new secret")],
  "admin webhook deliveries": [many("call of a webhook")],
  "admin mail test": [one("tried mail")],
  "admin stats": [many("counts of a team")],
  "admin backup": [one("backup")],
  "admin restore": [one("restored backup")],
  "admin move": [one("move"), one("undone move")],
  "admin check": [many("finding")],
  "admin log": [{ as: "lines", shape: "log entry" }],
  "admin audit": [{ as: "lines", shape: "audited event", last: "hash of the log" }],
};

/** All members of a shape, those of its base first. */
export function membersOf(name: ShapeName): TProperties {
  const { base, members: own } = SHAPES[name];
  return { ...(base && membersOf(base)), ...own };
}

/** The JSON schema of one object of a shape, which has no other members than its own. */
export function schemaOf(name: ShapeName): TSchema {
  return Type.Object(membersOf(name), { additionalProperties: false });
}
