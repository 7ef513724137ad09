import { OPERATION_IDS } from "../../contract/operation-schemas.ts";
import { API_PREFIX, APP_PREFIX, OPERATIONS } from "../../contract/operations.ts";
import type { OperationId } from "../../contract/operations.ts";
import { Refusal } from "../../domain/errors.ts";

export type Prefix = typeof API_PREFIX | typeof APP_PREFIX;

const PREFIXES: readonly Prefix[] = [API_PREFIX, APP_PREFIX];

/** The prefix of the operations that `path` may be one of; undefined for what is not the gate's to guard. */
export function prefixOf(path: string): Prefix | undefined {
  return PREFIXES.find(
    (prefix) => path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === "/"),
  );
}

/** The operation's path below `prefix`, as Elysia writes it. */
export function routeOf(operation: OperationId, prefix: Prefix): string {
  return prefix + OPERATIONS[operation].path.replace(/\{(\w+)\}/g, ":$1");
}

interface Route {
  readonly segments: readonly string[];
  /** The place of the parameter among the segments; undefined when there is none. */
  readonly parameter: number | undefined;
  readonly operations: ReadonlyMap<string, OperationId>;
}

/** Every route, by the number of its segments. */
const ROUTES: ReadonlyMap<number, readonly Route[]> = Map.groupBy(
  Map.groupBy(OPERATION_IDS, (id) => OPERATIONS[id].path)
    .entries()
    .map(([path, ids]) => toRoute(path.split("/"), ids)),
  ({ segments }) => segments.length,
);

function toRoute(segments: readonly string[], ids: readonly OperationId[]): Route {
  const parameter = segments.findIndex((segment) => segment.startsWith("{"));
  const operations = new Map<string, OperationId>(ids.map((id) => [OPERATIONS[id].method, id]));
  return { segments, parameter: parameter < 0 ? undefined : parameter, operations };
}

/** The operation that a request asks for, and the id that its path names; undefined when it names none. */
export interface Match {
  readonly operation: OperationId;
  readonly id: string | undefined;
}

/** Finds the operation. Throws a Refusal: `not_found`, or `method_not_allowed` with the methods that there are. */
export function matchRoute(method: string, path: string, prefix: Prefix): Match {
  const segments = path.slice(prefix.length).split("/");
  const route = ROUTES.get(segments.length)?.find((each) => fits(each, segments));
  if (!route) throw new Refusal("not_found");
  // Whatever can be read can be asked about (RFC 9110, section 9.3.2).
  const operation = route.operations.get(method === "HEAD" ? "GET" : method);
  if (!operation) throw new Refusal("method_not_allowed", { allow: allowed(route) });
  return { operation, id: route.parameter === undefined ? undefined : segments[route.parameter] };
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

/** True when `segments`, as many as those of the route, are a path of it. */
function fits({ segments: template, parameter }: Route, segments: readonly string[]): boolean {
  return template.every((part, index) =>
    index === parameter ? ID_CHARACTERS.test(segments[index] ?? "") : part === segments[index],
  );
}

// Elysia decodes what is percent-encoded, and then one thing would have two paths.
const ID_CHARACTERS = /^[0-9a-z_]+$/;
