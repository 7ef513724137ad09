import { type Operation, OPERATION_IDS, type OperationId, OPERATIONS } from "../contract/operations.ts";
import { Refusal } from "../domain/errors.ts";

const API_PREFIX = "/api/v1";

/** Whether `path` is the gate's to guard. */
export function isApiPath(path: string): boolean {
  return path === API_PREFIX || path.startsWith(`${API_PREFIX}/`);
}

/** The operation's path as Elysia writes it. */
export function routeOf(operation: OperationId): string {
  return OPERATIONS[operation].path.replace(/\{(\w+)\}/g, ":$1");
}

/** The operation by its id, as the gate sees it. */
export function operationOf(id: OperationId): Operation {
  return OPERATIONS[id];
}

interface Route {
  readonly segments: readonly string[];
  readonly operations: Map<string, OperationId>;
}

const ROUTES: readonly Route[] = [...Map.groupBy(OPERATION_IDS, (id) => OPERATIONS[id].path)].map(([path, ids]) => ({
  segments: path.split("/"),
  operations: new Map(ids.map((id) => [OPERATIONS[id].method, id])),
}));

/** What a request asks for: an operation and the id that its path names, if it names one. */
export interface Match {
  readonly operation: OperationId;
  readonly id: string | undefined;
}

/** Finds the operation. Throws a Refusal: `not_found`, or `method_not_allowed` with the methods that there are. */
export function matchRoute(method: string, path: string): Match {
  const segments = path.split("/");
  const route = ROUTES.find((each) => fits(each.segments, segments));
  if (!route) throw new Refusal("not_found");
  const operation = route.operations.get(method);
  if (!operation) throw new Refusal("method_not_allowed", { allow: [...route.operations.keys()] });
  const parameter = route.segments.findIndex(isParameter);
  return { operation, id: parameter < 0 ? undefined : segments[parameter] };
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
