import { isTokenShaped, parseTokenKind } from "../../contract/tokens.ts";
import { Refusal } from "../../domain/values/errors.ts";

const KEY_LIKE_NAMES = new Set(["key", "api_key", "apikey", "token", "access_token", "authorization"]);
/** The most credentials of a query that are looked up. */
const MAX_TOKENS = 4;
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);
const INTEGER = /^(0|[1-9][0-9]{0,14})$/;

/** The credentials that a query string gives away. */
export interface QueryCredentials {
  /** True when there is a credential, or something that looks like one. */
  readonly found: boolean;
  /** The credentials that may be real, each once; the first few. */
  readonly tokens: readonly string[];
}

const NO_CREDENTIALS: QueryCredentials = { found: false, tokens: [] };

/** Looks for credentials in a query string, contract section 3. */
export function findCredentials(search: string): QueryCredentials {
  if (search === "") return NO_CREDENTIALS;
  let found = false;
  const tokens = new Set<string>();
  for (const [name, value] of new URLSearchParams(search)) {
    found ||= KEY_LIKE_NAMES.has(name.toLowerCase());
    for (const text of [name, value]) {
      const token = text.trim().replace(/^bearer\s+/i, "");
      found ||= isTokenShaped(token);
      if (tokens.size < MAX_TOKENS && parseTokenKind(token) === "apiKey") tokens.add(token);
    }
  }
  return { found, tokens: [...tokens] };
}

/**
 * The parameters of a query string, with integers as numbers, and `true` and `false` as booleans: no string parameter
 * of the API looks like one. Throws a Refusal `schema_mismatch` for a repeated parameter, with its name only if it is
 * one of `known`.
 */
export function parseQuery(search: string, known: readonly string[]): Record<string, string | number | boolean> {
  // No prototype, so that a parameter named __proto__ is a parameter like any other.
  const query: Record<string, string | number | boolean> = Object.create(null);
  if (search === "") return query;
  for (const [name, value] of new URLSearchParams(search)) {
    if (name in query) {
      const pointer = known.includes(name) ? `/query/${name}` : "/query";
      throw new Refusal("schema_mismatch", { errors: [{ pointer, code: "repeated" }] });
    }
    query[name] = INTEGER.test(value) ? Number(value) : (FLAGS.get(value) ?? value);
  }
  return query;
}
