import { Type } from "@sinclair/typebox";
import type {
  ObjectOptions,
  SchemaOptions,
  TBoolean,
  TInteger,
  TObject,
  TOptional,
  TProperties,
  TSchema,
  TString,
  TUnsafe,
} from "@sinclair/typebox";
import { exampleId, idPattern } from "./ids.ts";
import type { IdKind } from "./ids.ts";
import {
  DEFAULT_PAGE_SIZE,
  MAX_ADDRESSEES_LENGTH,
  MAX_CLAIMS,
  MAX_PAGE_SIZE,
  MAX_WAIT_SECONDS,
  SECRET_TTL_SECONDS,
} from "./limits.ts";
import { ADDRESSEES_PATTERN, REFERENCE_EXAMPLE, REFERENCE_PATTERN, TOKEN_HASH_PATTERN } from "./patterns.ts";

// Parts that several schemas share.

/** The schema of an object with exactly these members. The document has a named schema for one with an `$id`. */
export function Closed<T extends TProperties>(members: T, options: ObjectOptions = {}): TObject<T> {
  return Type.Object(members, { additionalProperties: false, ...options });
}

/** The schema of an id of `kind`. */
export function Id(kind: IdKind, description: string): TString {
  return Type.String({ pattern: `^${idPattern(kind)}$`, description, examples: [exampleId(kind)] });
}

/** The schema of a time: RFC 3339, UTC, milliseconds. */
export function Timestamp(description: string): TString {
  return Type.String({ format: "date-time", description, examples: ["2026-11-21T09:30:00.000Z"] });
}

/** The schema of a ticket name. */
export function Reference(description: string): TString {
  return Type.String({ pattern: REFERENCE_PATTERN, description, examples: [REFERENCE_EXAMPLE] });
}

/** The schema of a nullable value. */
export function Nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

/** The schema of an enumeration. With a `title`, the document has a named schema for it. */
export function OneOf<const T extends readonly string[]>(values: T, options: SchemaOptions = {}): TUnsafe<T[number]> {
  const union = Type.Union(
    values.map((value) => Type.Literal(value)),
    options,
  );
  return Type.Unsafe<T[number]>(union);
}

/** The schema of the path parameters of one resource of `kind`. */
export function PathOf(kind: IdKind, description: string): TObject<{ id: TString }> {
  return Closed({ id: Id(kind, description) });
}

/** The query parameter for how long the server may delay an answer. */
export function Wait(description: string): TOptional<TInteger> {
  return Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_WAIT_SECONDS, description }));
}

/** A lifetime in seconds. */
export function Lifetime(
  description = "Lifetime in seconds. A value above the maximum of this server is rejected.",
): TOptional<TInteger> {
  return Type.Optional(
    Type.Integer({
      minimum: SECRET_TTL_SECONDS.min,
      maximum: SECRET_TTL_SECONDS.max,
      description,
    }),
  );
}

/** A number of claims or submissions. */
export function Times(description: string): TOptional<TInteger> {
  return Type.Optional(Type.Integer({ minimum: MAX_CLAIMS.min, maximum: MAX_CLAIMS.max, description }));
}

/** The query parameter for the hash of a `token` that the client keeps. */
export function TokenHash(token: "claim token" | "submit token"): TOptional<TString> {
  return Type.Optional(
    Type.String({
      pattern: TOKEN_HASH_PATTERN,
      description: `base64url of SHA-256 over a ${token} that the client made and keeps. Without it the server makes one.`,
    }),
  );
}

/** The query parameter for the number of rows on a page. */
export function PageLimit() {
  return Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_PAGE_SIZE,
      default: DEFAULT_PAGE_SIZE,
      description: "Rows on a page.",
    }),
  );
}

/** The query of a list of `kind`, whose rows have one of `states`. */
export function ListQuery<const States extends readonly string[]>(kind: "secret" | "request", states: States) {
  return Closed({
    state: Type.Optional(OneOf(states, { description: "Only those in this state." })),
    created_by: Type.Optional(Id("identity", `Only ${kind}s created by this identity.`)),
    reference: Type.Optional(Reference(`Only ${kind}s with this ticket, case-sensitive.`)),
    limit: PageLimit(),
    cursor: Type.Optional(Id(kind, "The `next_cursor` of the page before. One from the future is rejected.")),
  });
}

/** The schema of one page of a list of `kind`, newest first. */
export function Page<Row extends TSchema>(kind: "secret" | "request", row: Row, example: object) {
  return Closed(
    {
      data: Type.Array(row, { description: "Newest first." }),
      next_cursor: Nullable(Id(kind, "Send it as `cursor` for the next page; null on the last one.")),
    },
    {
      $id: kind === "secret" ? "SecretPage" : "RequestPage",
      description: `One page of ${kind}s.`,
      examples: [{ data: [example], next_cursor: null }],
    },
  );
}

/** The query parameter for the people who may do what is `asked`. */
export function For(asked: string): TOptional<TString> {
  return Type.Optional(
    Type.String({
      pattern: ADDRESSEES_PATTERN,
      maxLength: MAX_ADDRESSEES_LENGTH,
      description: `The addresses of the people who may ${asked}, with commas between them, 20 at most; \`*@example.com\` for all of a domain. Without it, everybody with the link. Rejected by a server that can't have an address proven.`,
      examples: ["ann@example.com,*@example.org"],
    }),
  );
}

/** The member with the people whom a secret or a request is for. */
export function Addressees(asked: string) {
  return Nullable(
    Type.Array(Type.String(), {
      description: `The addresses and domains that may ${asked}; for the holder of the link without their middle (\`a…@example.com\`). Null for everybody with the link.`,
      examples: [["ann@example.com"]],
    }),
  );
}

/** The schema of the words of an ask: a server can put no sentence in their place. */
export function Words(description: string) {
  return Type.Array(Type.String({ pattern: "^[a-z]{3,8}$" }), { minItems: 3, maxItems: 3, description });
}

/** The query parameter that leaves the person out of the field `whom`. */
export function Anonymous(whom: string): TOptional<TBoolean> {
  return Type.Optional(
    Type.Boolean({
      description: `\`true\` leaves the signed-in person out of ${whom}, which never names automations.`,
    }),
  );
}

/** The query of an operation without query parameters. */
export const NoQuery = Closed({});

/** One page of a list in an answer. */
export interface PageOf<T> {
  data: T[];
  next_cursor: string | null;
}

/** An address of mail, as somebody types it. */
// oxlint-disable-next-line no-control-regex -- they are what is refused
export const MailAddress = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: String.raw`^[^\u0000-\u001f\u007f]+@[^\s@\u0000-\u001f\u007f]+$`,
});

/** The language of a reader (BCP 47). */
export const LanguageTag = Type.String({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$" });

/** The successful answer of an operation. */
export type Success =
  | {
      readonly status: 200 | 201 | 202;
      readonly schema: TSchema;
      /** True when the header Location names the new resource. */
      readonly hasLocation?: true;
    }
  | { readonly status: 204; readonly description: string };

/** The schema of the body of an operation, exactly when it takes one. */
export type HasBody<O extends object> = O extends { readonly takesBody: true }
  ? { readonly body: TSchema }
  : "takesBody" extends keyof O
    ? { readonly body?: TSchema }
    : { readonly body?: never };

/** The schema of a path with an id. */
export type PathSchema = TObject<{ id: TString }>;
