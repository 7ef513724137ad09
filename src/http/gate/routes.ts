import { OPERATION_IDS } from "../../contract/operation-schemas.ts";
import { API_PREFIX, APP_PREFIX, OPERATIONS } from "../../contract/operations.ts";
import type { OperationId } from "../../contract/operations.ts";
import { Refusal } from "../../domain/errors.ts";

export type Prefix = typeof API_PREFIX | typeof APP_PREFIX;

function isApiPath(path: string): boolean {
  return path === API_PREFIX || path.startsWith(`${API_PREFIX}/`);
}

/** The prefix of the operations that `path` may be one of; undefined for what is not the gate's to guard. */
export function prefixOf(path: string): Prefix | undefined {
  if (isApiPath(path)) return API_PREFIX;
  return path === APP_PREFIX || path.startsWith(`${APP_PREFIX}/`) ? APP_PREFIX : undefined;
}

/** The operation's path below `prefix`, as Elysia writes it. */
export function routeOf(operation: OperationId, prefix: Prefix): string {
  return prefix + OPERATIONS[operation].path.replace(/\{(\w+)\}/g, ":$1");
}

interface Route {
  readonly segments: readonly string[];
  readonly operations: Map<string, OperationId>;
}

const ROUTES: readonly Route[] = [...Map.groupBy(OPERATION_IDS, (id) => OPERATIONS[id].path)].map(([path, ids]) => ({
  segments: path.split("/"),
  operations: new Map(ids.map((id) => [OPERATIONS[id].method, id])),
}));

/** The operation that a request asks for, and the id that its path names; undefined when it names none. */
export interface Match {
  readonly operation: OperationId;
  readonly id: string | undefined;
}

/** Finds the operation. Throws a Refusal: `not_found`, or `method_not_allowed` with the methods that there are. */
export function matchRoute(method: string, path: string, prefix: Prefix): Match {
  const segments = path.slice(prefix.length).split("/");
  const route = ROUTES.find((each) => fits(each.segments, segments));
  if (!route) throw new Refusal("not_found");
  // Whatever can be read can be asked about (RFC 9110, section 9.3.2).
  const operation = route.operations.get(method === "HEAD" ? "GET" : method);
  if (!operation) throw new Refusal("method_not_allowed", { allow: allowed(route) });
  const parameter = route.segments.findIndex(isParameter);
  return { operation, id: parameter < 0 ? undefined : segments[parameter] };
}

function allowed({ operations }: Route): string[] {
  return [...operations.keys(), ...(operations.has("GET") ? ["HEAD"] : [])];
}

/** The refusal where nothing outside the API answers `method` and `path`: there is nothing, or it can only be read. */
export function unknownRoute(
  routes: readonly { readonly method: string; readonly path: string }[],
  method: string,
  path: string,
): Refusal {
  const isReadable = routes.some((route) => route.method === "GET" && fitsPublic(route.path, path));
  if (!isReadable || method === "GET" || method === "HEAD") return new Refusal("not_found");
  return new Refusal("method_not_allowed", { allow: ["GET", "HEAD"] });
}

/** The template of what answers `path` outside the API, such as `/s/{id}`; undefined when nothing does. */
export function publicRouteOf(routes: readonly { readonly path: string }[], path: string): string | undefined {
  if (prefixOf(path) !== undefined) return undefined;
  return routes.find((route) => fitsPublic(route.path, path))?.path.replace(/:(\w+)/g, "{$1}");
}

function fitsPublic(template: string, path: string): boolean {
  const segments = path.split("/");
  const parts = template.split("/");
  return (
    parts.length === segments.length &&
    parts.every((part, index) => (part.startsWith(":") ? segments[index] !== "" : part === segments[index]))
  );
}

function fits(template: readonly string[], segments: readonly string[]): boolean {
  if (template.length !== segments.length) return false;
  return template.every((part, index) =>
    isParameter(part) ? ID_CHARACTERS.test(segments[index] ?? "") : part === segments[index],
  );
}

// Elysia decodes what is percent-encoded, and then one thing would have two paths.
const ID_CHARACTERS = /^[0-9a-z_]+$/;

function isParameter(part: string): boolean {
  return part.startsWith("{");
}
