import type { AnyElysia } from "elysia";
import { API_PREFIX, APP_PREFIX, OPERATIONS } from "../../contract/operations.ts";
import type { OperationId } from "../../contract/operations.ts";
import { Refusal } from "../../domain/values/errors.ts";

export type Prefix = typeof API_PREFIX | typeof APP_PREFIX;

const PREFIXES: readonly Prefix[] = [API_PREFIX, APP_PREFIX];

/** The prefix of the operations that `path` may name; undefined outside of them. */
export function prefixOf(path: string): Prefix | undefined {
  return PREFIXES.find(
    (prefix) => path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === "/"),
  );
}

/** The operation's path below `prefix`, as Elysia writes it. */
export function routeOf(operation: OperationId, prefix: Prefix): string {
  return prefix + OPERATIONS[operation].path.replace(/\{(\w+)\}/g, ":$1");
}

// Elysia decodes what is percent-encoded in a parameter, which would give one thing two paths.
const OPERATION_PATH = /^[0-9a-z_/-]+$/;

/** True when `path` has only characters that the path of an operation can have. */
export function isOperationPath(path: string): boolean {
  return OPERATION_PATH.test(path);
}

/**
 * The refusal of a request that `app` has no route for: `method_not_allowed` with the methods that its `path` has
 * routes for, otherwise `not_found`.
 */
export function unknownRoute({ router, routes }: Pick<AnyElysia, "router" | "routes">, path: string): Refusal {
  const methods = new Set(routes.map(({ method }) => method));
  const allowed = [...methods].filter(
    (method) => router.static[path]?.[method] !== undefined || router.http.find(method, path) !== null,
  );
  if (allowed.length === 0) return new Refusal("not_found");
  // Whatever can be read can be asked about (RFC 9110, section 9.3.2).
  return new Refusal("method_not_allowed", { allow: [...allowed, ...(allowed.includes("GET") ? ["HEAD"] : [])] });
}
