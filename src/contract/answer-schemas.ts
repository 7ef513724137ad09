import { Type, TypeGuard } from "@sinclair/typebox";
import type { Static, TSchema } from "@sinclair/typebox";
import { Credential } from "./credentials.ts";
import { AuditLine, Event } from "./events.ts";
import { Id, Nullable } from "./fields.ts";
import { CIPHERTEXT_PATTERN } from "./patterns.ts";
import { BegunLogin, BegunProof, LoginAnswer, Notices, Passkey, PendingLogin, Proof, Session } from "./persons.ts";
import { Invitation, RequestMetadata, RequestSummary, SubmittedSecret } from "./requests.ts";
import { Ask, ClaimedLargeSecret, ClaimedSecret, CreatedAsk, PendingAsk, Secret } from "./secrets.ts";
import type { ENVELOPE_VERSION } from "./states.ts";

// A client takes a little more than this version of the server answers: events of later types, by later kinds of
// actors, and any version of an envelope, which the code that opens it checks. In return it checks every ciphertext.
const Envelope = Type.Object({
  version: Type.Unsafe<typeof ENVELOPE_VERSION>(Type.Integer()),
  ciphertext: Type.String({ pattern: CIPHERTEXT_PATTERN }),
});
const EventType = Type.String({ pattern: "^[a-z_]{1,30}\\.[a-z_]{1,30}$" });
const Actor = Type.Object({
  kind: Type.String({ pattern: "^[a-z_]{1,30}$" }),
  id: Nullable(Id("identity", "")),
  address: Nullable(Type.String()),
});

const ANSWERS = {
  Secret,
  ClaimedSecret: Type.Object({ ...ClaimedSecret.properties, envelope: Envelope }),
  ClaimedLargeSecret,
  RequestMetadata,
  RequestSummary,
  SubmittedSecret,
  Invitation: Type.Object({ ...Invitation.properties, note: Nullable(Envelope) }),
  SeenEvent: Type.Object({ ...Event.properties, type: EventType, actor: Nullable(Actor) }),
  AuditLine: Type.Object({ ...AuditLine.properties, type: EventType }),
  Credential,
  BegunProof,
  Proof,
  Ask,
  CreatedAsk,
  PendingAsk,
  BegunLogin,
  LoginAnswer,
  PendingLogin,
  Notices,
  Passkey,
  // Later servers have more ways, which the page doesn't show.
  Session: Type.Omit(Session, ["way"]),
};

type Answers = { readonly [Name in keyof typeof ANSWERS]: Static<(typeof ANSWERS)[Name]> };

/** The part of JSON Schema that answers use, as data. An enumeration has `values`; `nullable` adds null. */
export interface AnswerSchema<Answer = unknown> {
  readonly type: "object" | "array" | "string" | "integer" | "boolean" | "enum";
  readonly properties?: Readonly<Record<string, AnswerSchema>>;
  readonly items?: AnswerSchema;
  readonly pattern?: string;
  readonly format?: string;
  readonly values?: readonly string[];
  readonly nullable?: boolean;
  /** Never present. It has the type of the answer, for the compiler. */
  readonly answer?: Answer;
}

/**
 * The schema of the answer `name`, without descriptions. A macro: it runs when the client is bundled, so that the page
 * gets the data without the schema library. Throws for a schema that `AnswerSchema` cannot express.
 */
export function answerSchema<Name extends keyof Answers>(name: Name): AnswerSchema<Answers[Name]> {
  return toAnswerSchema(ANSWERS[name]) as AnswerSchema<Answers[Name]>;
}

function toAnswerSchema(schema: TSchema): AnswerSchema {
  if (TypeGuard.IsObject(schema)) {
    const entries = Object.entries(schema.properties).map(([name, each]) => [name, toAnswerSchema(each)] as const);
    return { type: "object", properties: Object.fromEntries(entries) };
  }
  if (TypeGuard.IsArray(schema)) return { type: "array", items: toAnswerSchema(schema.items) };
  if (TypeGuard.IsInteger(schema)) return { type: "integer" };
  if (TypeGuard.IsBoolean(schema)) return { type: "boolean" };
  if (TypeGuard.IsString(schema)) {
    const { pattern, format } = schema;
    return { type: "string", ...(pattern ? { pattern } : {}), ...(format ? { format } : {}) };
  }
  if (!TypeGuard.IsUnion(schema)) throw new Error("the schema of an answer has a type that clients can't check");
  const rest = schema.anyOf.filter((each) => !TypeGuard.IsNull(each));
  if (rest.length < schema.anyOf.length) return { ...toAnswerSchema(Type.Union(rest)), nullable: true };
  return { type: "enum", values: rest.filter(TypeGuard.IsLiteralString).map((each) => each.const) };
}
