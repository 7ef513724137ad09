/** The longest path that anything answers has five parts: /api/v1/requests/{id}/submissions. */
const MAX_PARTS = 6;

/**
 * The patterns that `Bun.serve` matches against the path as it was sent. The address of a request has been tidied by
 * then: of `/docs/../api` it says `/api`, and of a backslash `/`. Whatever matches none of these has empty parts, or
 * too many.
 */
export const PATH_PATTERNS: readonly string[] = [
  "/",
  ...Array.from({ length: MAX_PARTS }, (_, last) => {
    const pattern = Array.from({ length: last + 1 }, (__, index) => `/:part${index}`).join("");
    return [pattern, `${pattern}/`];
  }).flat(),
];

/** The parts that a pattern found in the path, decoded; null when none fits, undefined when nobody looked. */
export type PathParts = Readonly<Record<string, string>> | null | undefined;

/**
 * True when `path`, of the address of a request, is spelled as it was sent: rules of a proxy in front are about that,
 * so that nothing may have a second spelling.
 */
export function isAsSent(path: string, parts: PathParts): boolean {
  if (parts === null) return false;
  if (parts === undefined) return true;
  const sent = `/${Object.values(parts).join("/")}`;
  const tidied = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  return sent === tidied || sent === decode(tidied);
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
