/** The path of a request as Bun's router sees it. */
export interface SentPath {
  /** The template of the route that the path fits as it was sent, such as `/s/{id}`; null when it fits none. */
  readonly route: string | null;
  /** The path as it was sent, with its parameters decoded; null when it fits no route. */
  readonly path: string | null;
}

/** The answer for a path that fits no route as it was sent. */
export const FITS_NO_ROUTE: SentPath = { route: null, path: null };

const PARAMETER = /:(\w+)/g;

/** Returns a function that restores the path of a request that fits `pattern`, a route as Elysia and Bun write it. */
export function createPathReader(
  pattern: string,
): (request: { readonly params: Readonly<Record<string, string>> }) => SentPath {
  const route = pattern.replace(PARAMETER, "{$1}");
  if (route === pattern) {
    const sent = { route, path: pattern };
    return () => sent;
  }
  return ({ params }) => ({ route, path: pattern.replace(PARAMETER, (_, name: string) => params[name] ?? "") });
}

const SENT_PATH = Symbol("sent path");

interface Sent {
  [SENT_PATH]?: SentPath;
}

/** Notes the path with which `request` was sent. */
export function noteSentPath(request: Request, path: SentPath): void {
  (request as Sent)[SENT_PATH] = path;
}

/** The path with which `request` was sent; undefined when Bun's router was not asked. */
export function sentPathOf(request: Request): SentPath | undefined {
  return (request as Sent)[SENT_PATH];
}

/**
 * True when `path`, of the address of a request, is spelled as it was `sent`. Proxies have rules about paths, so
 * nothing may have a second spelling.
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

/** Elysia looks for the path from the twelfth character of the address on, and finds none behind a shorter host. */
const PATH_START = 11;

/** Gives `request` an address in which Elysia finds the path. Nothing depends on the host in it. */
export function withLongHost(request: Request): Request {
  const { url } = request;
  const host = url.indexOf("://") + 3;
  const start = url.indexOf("/", host);
  if (host > 2 && start > 0 && start < PATH_START) {
    Object.defineProperty(request, "url", { value: `${url.slice(0, host)}localhost${url.slice(start)}` });
  }
  return request;
}
