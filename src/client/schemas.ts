import type { AnswerSchema } from "../contract/answer-schemas.ts";
import { isDeceiving } from "../contract/person-names.ts";
import { unexpected } from "./answers.ts";
import { listOf, membersOf } from "./members.ts";

const TIME = /^[2-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;
const MAX_TEXT_LENGTH = 200;

type Parser = (value: unknown) => unknown;

/** The parsers that were made so far. */
const parsers = new WeakMap<AnswerSchema, Parser>();

/**
 * Returns the members of `value` that `schema` has. Throws ClientError `unexpected_answer` when they don't fit. Null
 * takes the place of a nullable member that is missing, because older servers don't send it. Unknown values in a list
 * of enumerated ones are left out, because this version can't use them.
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
  if (values) return (value) => typeof value === "string" && values.includes(value);
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
