import type { Credential } from "../contract/credentials.ts";
import type { Envelope } from "../contract/envelopes.ts";
import type { Event } from "../contract/events.ts";
import { CIPHERTEXT_PATTERN, RECIPIENT_PATTERN } from "../contract/patterns.ts";
import type { Person } from "../contract/persons.ts";
import type { Invitation, RequestMetadata, RequestSummary, Submission, SubmittedSecret } from "../contract/requests.ts";
import { SCOPES } from "../contract/scopes.ts";
import type { ClaimedSecret, Secret } from "../contract/secrets.ts";
import { CIPHERTEXT_FORMATS, CREDENTIAL_KINDS, REQUEST_STATES, SECRET_STATES } from "../contract/states.ts";
import { unexpected } from "./answers.ts";
import {
  listOf,
  membersOf,
  orNull,
  parseFlag,
  parseFullName,
  parseIdOf,
  parseName,
  parseOneOf,
  parseReference,
  parseTime,
  parseWhole,
} from "./members.ts";
import type { Members } from "./members.ts";

// What is used of an answer is looked at before it is used, and the rest of it is dropped: whoever answers may not be a
// handoff server, or mean harm. Each of these throws ClientError `unexpected_answer`.

const CIPHERTEXT = new RegExp(CIPHERTEXT_PATTERN);
const RECIPIENT = new RegExp(RECIPIENT_PATTERN);

/** The metadata of the secret `id`, or of any. */
export function parseSecret(value: unknown, id?: string): Secret {
  const members = membersOf(value);
  return {
    id: sameId(parseIdOf("secret", members["id"]), id),
    state: parseOneOf(members["state"], SECRET_STATES),
    envelope_version: parseWhole(members["envelope_version"]),
    ciphertext_bytes: parseWhole(members["ciphertext_bytes"]),
    ciphertext_format: parseOneOf(members["ciphertext_format"], CIPHERTEXT_FORMATS),
    created_at: parseTime(members["created_at"]),
    expires_at: parseTime(members["expires_at"]),
    max_claims: parseWhole(members["max_claims"]),
    claims: parseWhole(members["claims"]),
    ended_at: orNull(members["ended_at"], parseTime),
    created_by: orNull(members["created_by"], parseCreator),
    request_id: orNull(members["request_id"], (each) => parseIdOf("request", each)),
    // Older servers know none.
    reference: orNull(members["reference"] ?? null, parseReference),
    sender: orNull(members["sender"], parsePerson),
  };
}

/** A claim of the secret `id`. */
export function parseClaim(value: unknown, id: string): ClaimedSecret {
  const members = membersOf(value);
  return {
    secret: parseSecret(members["secret"], id),
    envelope: parseEnvelope(members["envelope"]),
    replay_until: orNull(members["replay_until"], parseTime),
  };
}

/** An envelope; of what version, whoever opens it looks at. */
export function parseEnvelope(value: unknown): Envelope {
  const { version, ciphertext } = membersOf(value);
  if (typeof ciphertext !== "string" || !CIPHERTEXT.test(ciphertext)) throw unexpected();
  return { version: parseWhole(version) as Envelope["version"], ciphertext };
}

/** The metadata of the request `id`, or of any. */
export function parseRequest(value: unknown, id?: string): RequestMetadata {
  const members = membersOf(value);
  return { ...commonOf(members, id), submissions: listOf(members["submissions"], parseSubmission) };
}

/** A request as lists have it. */
export function parseRequestSummary(value: unknown): RequestSummary {
  return commonOf(membersOf(value));
}

function commonOf(members: Members, id?: string): RequestSummary {
  return {
    id: sameId(parseIdOf("request", members["id"]), id),
    state: parseOneOf(members["state"], REQUEST_STATES),
    recipient: parseRecipient(members["recipient"]),
    created_at: parseTime(members["created_at"]),
    expires_at: parseTime(members["expires_at"]),
    max_submissions: parseWhole(members["max_submissions"]),
    submission_count: parseWhole(members["submission_count"]),
    ended_at: orNull(members["ended_at"], parseTime),
    created_by: orNull(members["created_by"], parseCreator),
    reference: orNull(members["reference"] ?? null, parseReference),
  };
}

function parseSubmission(value: unknown): Submission {
  const members = membersOf(value);
  return {
    secret_id: parseIdOf("secret", members["secret_id"]),
    state: parseOneOf(members["state"], SECRET_STATES),
    created_at: parseTime(members["created_at"]),
  };
}

/** An event as a client has it: of later servers also of types, and done by kinds of actors, that it does not know. */
export type SeenEvent = Omit<Event, "type" | "actor"> & {
  readonly type: string;
  readonly actor: { readonly kind: string; readonly id: string | null } | null;
};

const EVENT_TYPE = /^[a-z_]{1,30}\.[a-z_]{1,30}$/;
const ACTOR_KIND = /^[a-z_]{1,30}$/;

/** An event of the log. */
export function parseEvent(value: unknown): SeenEvent {
  const members = membersOf(value);
  return {
    id: parseIdOf("event", members["id"]),
    type: parseWord(members["type"], EVENT_TYPE),
    created_at: parseTime(members["created_at"]),
    secret_id: orNull(members["secret_id"], (id) => parseIdOf("secret", id)),
    request_id: orNull(members["request_id"], (id) => parseIdOf("request", id)),
    identity: orNull(members["identity"], parseCreator),
    // A server of before there were actors does not say.
    actor: orNull(members["actor"] ?? null, parseActor),
    reference: orNull(members["reference"] ?? null, parseReference),
  };
}

function parseActor(value: unknown): SeenEvent["actor"] {
  const members = membersOf(value);
  return { kind: parseWord(members["kind"], ACTOR_KIND), id: orNull(members["id"], parseCreator) };
}

function parseWord(value: unknown, pattern: RegExp): string {
  if (typeof value !== "string" || !pattern.test(value)) throw unexpected();
  return value;
}

/** Reads an invitation, which is all that the holder of a request link may know. Throws ClientError. */
export function parseInvitation(value: unknown): Invitation {
  const members = membersOf(value);
  return {
    recipient: parseRecipient(members["recipient"]),
    note: orNull(members["note"], parseEnvelope),
    expires_at: parseTime(members["expires_at"]),
    submissions_left: parseWhole(members["submissions_left"]),
    asked_by: orNull(members["asked_by"], parsePerson),
  };
}

/** The receipt of what was handed in. */
export function parseReceipt(value: unknown): SubmittedSecret {
  const members = membersOf(value);
  return {
    secret_id: parseIdOf("secret", members["secret_id"]),
    state: parseOneOf(members["state"], SECRET_STATES),
  };
}

/**
 * Reads a credential. Scopes that this version does not know are left out: they are of no use to it. Throws
 * ClientError.
 */
export function parseCredential(value: unknown): Credential {
  const members = membersOf(value);
  const limits = membersOf(members["limits"]);
  return {
    kind: parseOneOf(members["kind"], CREDENTIAL_KINDS),
    key_id: orNull(members["key_id"], (each) => parseIdOf("key", each)),
    identity: orNull(members["identity"], (each) => parseNamed(each, parseCreator)),
    team: orNull(members["team"], (each) => parseNamed(each, (id) => parseIdOf("team", id))),
    person: orNull(members["person"], parsePerson),
    scopes: listOf(members["scopes"], (each) => SCOPES.find((scope) => scope === each) ?? []).flat(),
    expires_at: orNull(members["expires_at"], parseTime),
    team_stored_bytes: orNull(members["team_stored_bytes"], parseWhole),
    limits: {
      max_ciphertext_bytes: parseWhole(limits["max_ciphertext_bytes"]),
      default_expires_in: parseWhole(limits["default_expires_in"]),
      max_expires_in: parseWhole(limits["max_expires_in"]),
      default_max_claims: parseWhole(limits["default_max_claims"]),
      max_claims: parseWhole(limits["max_claims"]),
      calls_per_second: parseWhole(limits["calls_per_second"]),
      call_burst: parseWhole(limits["call_burst"]),
      waiting_calls: parseWhole(limits["waiting_calls"]),
      team_quota_bytes: parseWhole(limits["team_quota_bytes"]),
      require_encrypted: parseFlag(limits["require_encrypted"]),
      show_senders: parseFlag(limits["show_senders"]),
    },
  };
}

function parseNamed(value: unknown, parseId: (id: unknown) => string): { id: string; name: string } {
  const members = membersOf(value);
  return { id: parseId(members["id"]), name: parseName(members["name"]) };
}

function parsePerson(value: unknown): Person {
  const members = membersOf(value);
  return {
    name: orNull(members["name"], parseFullName),
    address: parseName(members["address"]),
    team: parseName(members["team"]),
  };
}

function parseCreator(value: unknown): string {
  return parseIdOf("identity", value);
}

function parseRecipient(value: unknown): string {
  if (typeof value !== "string" || !RECIPIENT.test(value)) throw unexpected();
  return value;
}

function sameId(id: string, asked: string | undefined): string {
  if (asked !== undefined && asked !== id) throw unexpected();
  return id;
}
