import { OPERATION_IDS } from "../../contract/operation-schemas.ts";
import { API_PREFIX, APP_PREFIX } from "../../contract/operations.ts";
import { routeOf } from "./routes.ts";

/** The longest path that anything answers has five parts: /api/v1/requests/{id}/submissions. */
const MAX_PARTS = 6;

/** The parameters that `Bun.serve` found in a path for a pattern, decoded. */
type PathParameters = Readonly<Record<string, string>>;

/** Says which path was sent, by the parameters of a pattern that it fits. */
type ToSentPath = (request: { readonly params: PathParameters }) => string;

/**
 * The patterns that `Bun.serve` matches against the path as it was sent. The address of a request has been tidied by
 * then: of `/docs/../api` it says `/api`, and of a backslash `/`. Whatever matches none of these has empty parts, or
 * too many. The operations have patterns of their own, because reading parameters costs more than routing.
 */
export const PATH_PATTERNS: ReadonlyMap<string, ToSentPath> = new Map([
  ["/", () => "/"],
  ...Array.from({ length: MAX_PARTS }, (_, last): [string, ToSentPath][] => {
    const pattern = Array.from({ length: last + 1 }, (__, index) => `/:part${index}`).join("");
    return [
      [pattern, ({ params }) => `/${Object.values(params).join("/")}`],
      [`${pattern}/`, ({ params }) => `/${Object.values(params).join("/")}/`],
    ];
  }).flat(),
  ...([API_PREFIX, APP_PREFIX] as const).flatMap((prefix) =>
    OPERATION_IDS.map((id): [string, ToSentPath] => {
      const pattern = routeOf(id, prefix);
      const [before = "", after] = pattern.split(":id");
      return [pattern, after === undefined ? () => pattern : ({ params }) => before + params["id"] + after];
    }),
  ),
]);

const SENT_PATH = Symbol("sent path");

interface Sent {
  [SENT_PATH]?: string | null;
}

/** Notes the path with which `request` was sent; null when it fits none of the patterns. */
export function noteSentPath(request: Request, path: string | null): void {
  (request as Sent)[SENT_PATH] = path;
}

/** The path with which `request` was sent; null when it fits none of the patterns, undefined when nobody looked. */
export function sentPathOf(request: Request): string | null | undefined {
  return (request as Sent)[SENT_PATH];
}

/**
 * True when `path`, of the address of a request, is spelled as it was `sent`: rules of a proxy in front are about that,
 * so that nothing may have a second spelling.
 */
export function isAsSent(path: string, sent: string | null | undefined): boolean {
  return sent === undefined || sent === path || (sent !== null && sent === decode(path));
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** Elysia looks for the path from the twelfth character of the address on: behind a shorter host it finds none. */
const PATH_START = 11;

/** Gives `request` an address that Elysia understands; the host in it is of no consequence. */
export function withLongHost(request: Request): Request {
  const { url } = request;
  const host = url.indexOf("://") + 3;
  const start = url.indexOf("/", host);
  if (host > 2 && start > 0 && start < PATH_START) {
    Object.defineProperty(request, "url", { value: `${url.slice(0, host)}localhost${url.slice(start)}` });
  }
  return request;
}
