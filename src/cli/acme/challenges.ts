import { startServer } from "../../http/server.ts";
import type { ListenTarget } from "../../http/server.ts";

const PREFIX = "/.well-known/acme-challenge/";
/** Answers in flight get this long when the server stops. */
const GRACE_MS = 1000;
const HEADERS = { "cache-control": "no-store", "content-type": "text/plain; charset=utf-8" };

/** Answers to the checks of an authority (RFC 8555, section 8.3), by token. */
export interface Challenges {
  readonly answers: Map<string, string>;
  stop(): Promise<void>;
}

/** Answers checks at `target`, and sends everybody else on to `baseUrl`. Throws ListenError. */
export async function serveChallenges(target: ListenTarget, baseUrl: string): Promise<Challenges> {
  const answers = new Map<string, string>();
  const { origin } = new URL(baseUrl);
  const answer = ({ url, method }: Request) => {
    // Of a wrong Host header, Bun makes an address that is none.
    if (!URL.canParse(url)) return new Response("This is no address.\n", { status: 400, headers: HEADERS });
    const { pathname, search } = new URL(url);
    if (!["GET", "HEAD"].includes(method)) return new Response("Use HTTPS.\n", { status: 403, headers: HEADERS });
    if (!pathname.startsWith(PREFIX)) return Response.redirect(origin + pathname + search, 308);
    const found = answers.get(pathname.slice(PREFIX.length));
    return new Response(found ?? "There is no such check.\n", {
      status: found === undefined ? 404 : 200,
      headers: HEADERS,
    });
  };
  const served = { routes: [], compile: () => undefined, fetch: answer, server: null };
  const server = await startServer(served, { target, tls: undefined });
  return { answers, stop: () => server.stop(GRACE_MS) };
}
