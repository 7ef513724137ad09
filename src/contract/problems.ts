import { Type } from "@sinclair/typebox";
import type { Static } from "@sinclair/typebox";
import { ERROR_CODES } from "./error-codes.ts";
import { detailOf } from "./errors.ts";
import { Closed, OneOf } from "./fields.ts";
import { TEAM_RULES } from "./states.ts";

/** The ways in which one place in a request can differ from its schema. */
const SCHEMA_ERROR_CODES = ["missing", "unexpected", "repeated", "type", "format", "value", "range"] as const;
export type SchemaErrorCode = (typeof SCHEMA_ERROR_CODES)[number];

export const SchemaError = Closed(
  {
    pointer: Type.String({
      description:
        "RFC 6901 pointer into the body; for a query parameter `/query/{name}`. It never repeats a name that the contract does not define.",
    }),
    code: OneOf(SCHEMA_ERROR_CODES, { title: "SchemaErrorCode", description: "What is wrong there." }),
  },
  { $id: "SchemaError", additionalProperties: false },
);
export type SchemaError = Static<typeof SchemaError>;

/** The outcomes of a failed call that may have changed something. */
const OUTCOMES = ["unknown"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const PROBLEM_MEDIA_TYPE = "application/problem+json";

export const Problem = Closed(
  {
    type: Type.String({ format: "uri", description: "The URL of an explanation: `{base_url}/problems/{code}`." }),
    title: Type.String(),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    code: OneOf(ERROR_CODES, { title: "ErrorCode", description: "The stable name of the error." }),
    detail: Type.String({ description: "What to do about it, for people." }),
    request_id: Type.String({ description: "The id of this request in the server's log." }),
    errors: Type.Optional(Type.Array(SchemaError)),
    rule: Type.Optional(
      OneOf(TEAM_RULES, { title: "TeamRule", description: "With `team_rule`, the rule of the team that is broken." }),
    ),
    outcome: Type.Optional(
      OneOf(OUTCOMES, {
        title: "Outcome",
        description:
          "`unknown` when what the call was to change may have been changed. Make the same call again, a POST with the same `Idempotency-Key`. Left out, this call changed nothing.",
      }),
    ),
  },
  {
    $id: "Problem",
    description: "RFC 9457 problem details.",
    examples: [
      {
        type: "https://handoff.example/problems/not_found",
        title: "Not found",
        status: 404,
        code: "not_found",
        detail: detailOf("not_found"),
        request_id: "069q6gv7k1rqf8a0c2m4e6g8io",
      },
    ],
  },
);
export type Problem = Static<typeof Problem>;
