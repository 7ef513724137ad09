import { answerSchema } from "../contract/answer-schemas.ts" with { type: "macro" };
import type { AnswerSchema } from "../contract/answer-schemas.ts";
import type { Credential } from "../contract/credentials.ts";
import { isId } from "../contract/ids.ts";
import type { IdKind } from "../contract/ids.ts";
import { isDeceiving } from "../contract/names.ts";
import { WORD_PATTERN } from "../contract/patterns.ts";
import type { BegunLogin, LoginAnswer, PendingLogin } from "../contract/persons.ts";
import type { Invitation, RequestMetadata, RequestSummary, SubmittedSecret } from "../contract/requests.ts";
import type { ClaimedSecret, Secret } from "../contract/secrets.ts";
import { unexpected } from "./answers.ts";

// An answer is checked before it is used, because a server may be hostile, or not be a handoff server at all. The
// schemas are those of the contract, as data. Each function throws ClientError `unexpected_answer`.

const SECRET = answerSchema("Secret");
const CLAIM = answerSchema("ClaimedSecret");
const REQUEST = answerSchema("RequestMetadata");
const SUMMARY = answerSchema("RequestSummary");
const RECEIPT = answerSchema("SubmittedSecret");
const INVITATION = answerSchema("Invitation");
const EVENT = answerSchema("SeenEvent");
const CREDENTIAL = answerSchema("Credential");
const BEGUN_LOGIN = answerSchema("BegunLogin");
const LOGIN_ANSWER = answerSchema("LoginAnswer");
const PENDING_LOGIN = answerSchema("PendingLogin");

/** An event as a client has it. A later server may send types, and kinds of actors, that this version does not know. */
export type SeenEvent = NonNullable<(typeof EVENT)["answer"]>;

/** Parses the metadata of a secret, which has to be `id` if that is given. */
export function parseSecret(value: unknown, id?: string): Secret {
  return withId(parseBySchema(SECRET, value), id);
}

/** Parses the answer to a claim of the secret `id`. The version of its envelope may be any. */
export function parseClaim(value: unknown, id: string): ClaimedSecret {
  const claim = parseBySchema(CLAIM, value);
  withId(claim.secret, id);
  return claim;
}

/** Parses the metadata of a request, which has to be `id` if that is given. */
export function parseRequest(value: unknown, id?: string): RequestMetadata {
  return withId(parseBySchema(REQUEST, value), id);
}

/** Parses a request of a list. */
export function parseRequestSummary(value: unknown): RequestSummary {
  return parseBySchema(SUMMARY, value);
}

/** Parses an event of the log. */
export function parseEvent(value: unknown): SeenEvent {
  return parseBySchema(EVENT, value);
}

/** Parses an invitation, which is all that the holder of a request link may know. */
export function parseInvitation(value: unknown): Invitation {
  return parseBySchema(INVITATION, value);
}

/** Parses the receipt of a submission. */
export function parseReceipt(value: unknown): SubmittedSecret {
  return parseBySchema(RECEIPT, value);
}

/** Parses a credential, without the scopes that this version does not know. */
export function parseCredential(value: unknown): Credential {
  return parseBySchema(CREDENTIAL, value);
}

/** Parses a login that has begun. */
export function parseBegunLogin(value: unknown): BegunLogin {
  return parseBySchema(BEGUN_LOGIN, value);
}

/** Parses the decision on a login. */
export function parseLoginAnswer(value: unknown): LoginAnswer {
  return parseBySchema(LOGIN_ANSWER, value);
}

/** Parses a terminal that waits to be let in. */
export function parsePendingLogin(value: unknown): PendingLogin {
  return parseBySchema(PENDING_LOGIN, value);
}

/**
 * Returns the addresses and domains of an answer, masked or not. Throws ClientError `unexpected_answer` for any other
 * text, which would reach a reader as words of this program.
 */
export function checkAddressees(addressees: readonly string[]): readonly string[] {
  if (!addressees.every((each) => ADDRESSEE.test(each))) throw unexpected();
  return addressees;
}

function withId<Answer extends { readonly id: string }>(answer: Answer, id: string | undefined): Answer {
  if (id !== undefined && answer.id !== id) throw unexpected();
  return answer;
}

const TIME = /^[2-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;
const MAX_TEXT_LENGTH = 200;
const ADDRESSEE = /^[^\s@]+@[^\s@]+$/u;
/** The form of enumerated values, also of those of later versions. */
const WORD = new RegExp(WORD_PATTERN);

type Parser = (value: unknown) => unknown;

/** The parsers that were made so far. */
const parsers = new WeakMap<AnswerSchema, Parser>();

/**
 * Returns the members of `value` that `schema` has. Throws ClientError `unexpected_answer` when they don't fit. Null
 * takes the place of a nullable member that is missing, because older servers don't send it. Unknown values in a list
 * of enumerated ones are left out, because this version can't use them. As the value of a member, such as a state, they
 * are taken as they are: the type of the answer doesn't have them.
 */
export function parseBySchema<Answer>(schema: AnswerSchema<Answer>, value: unknown): Answer {
  let parse = parsers.get(schema);
  if (!parse) parsers.set(schema, (parse = parserOf(schema)));
  return parse(value) as Answer;
}

function parserOf(schema: AnswerSchema): Parser {
  const { properties, items } = schema;
  const parse = properties ? objectParser(properties) : items ? listParser(items) : checker(schema);
  return schema.nullable === true ? (value) => (value === null || value === undefined ? null : parse(value)) : parse;
}

function objectParser(properties: NonNullable<AnswerSchema["properties"]>): Parser {
  const entries = Object.entries(properties).map(([name, schema]) => [name, parserOf(schema)] as const);
  return (value) => {
    const members = membersOf(value);
    const known: Record<string, unknown> = {};
    for (const [name, parse] of entries) known[name] = parse(members[name]);
    return known;
  };
}

function listParser(items: AnswerSchema): Parser {
  const { values } = items;
  if (values) return (value) => listOf(value, (item) => item).filter((item) => values.some((each) => each === item));
  const parse = parserOf(items);
  return (value) => listOf(value, parse);
}

function checker(schema: AnswerSchema): Parser {
  const isValid = validatorOf(schema);
  return (value) => {
    if (!isValid(value)) throw unexpected();
    return value;
  };
}

function validatorOf({ type, values, pattern, format }: AnswerSchema): (value: unknown) => boolean {
  if (type === "integer") return (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
  if (type === "boolean") return (value) => typeof value === "boolean";
  if (values) return (value) => typeof value === "string" && WORD.test(value);
  if (format === "date-time") return isTime;
  if (pattern === undefined) return isText;
  const form = new RegExp(pattern);
  return (value) => typeof value === "string" && form.test(value);
}

/** True for a time of RFC 3339 from the year 2000 on. `Date.parse` alone accepts comments too. */
function isTime(value: unknown): boolean {
  return typeof value === "string" && TIME.test(value) && !Number.isNaN(Date.parse(value));
}

/** True for one short line, such as a name, without characters that would deceive a reader. */
function isText(value: unknown): boolean {
  return typeof value === "string" && value.length <= MAX_TEXT_LENGTH && !isDeceiving(value);
}

/** An unchecked object of an answer. */
export type Members = Readonly<Record<string, unknown>>;

/** Throws ClientError `unexpected_answer` unless `value` is an object. */
export function membersOf(value: unknown): Members {
  if (typeof value !== "object" || value === null) throw unexpected();
  return value as Members;
}

/** Parses each item of an array. Throws ClientError `unexpected_answer` unless `value` is one. */
export function listOf<T>(value: unknown, parse: (item: unknown) => T): T[] {
  if (!Array.isArray(value)) throw unexpected();
  return value.map((item: unknown) => parse(item));
}

/** Returns null for null, and anything else as `parse` reads it. */
export function orNull<T>(value: unknown, parse: (value: unknown) => T): T | null {
  return value === null ? null : parse(value);
}

/** Throws ClientError `unexpected_answer` unless `value` is an id of this kind. */
export function parseIdOf(kind: IdKind, value: unknown): string {
  if (typeof value !== "string" || !isId(value, kind)) throw unexpected();
  return value;
}
