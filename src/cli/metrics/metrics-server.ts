import { traceOf } from "../../contract/error-traces.ts";
import type { Service } from "../../domain/service.ts";
import { startServer } from "../../http/server.ts";
import type { ListenTarget, Served } from "../../http/server.ts";
import { createMetrics } from "./metrics.ts";
import type { Metrics, MetricsOptions } from "./metrics.ts";

const PATH = "/metrics";
/** Answers in flight get this long when the server stops. */
const GRACE_MS = 1000;
const HEADERS = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
const TEXT = { ...HEADERS, "content-type": "text/plain; charset=utf-8" };

/** The log of failed answers. */
interface FailureLog {
  error(fields: object, message: string): void;
}

/** Metrics that are served. */
export interface RunningMetrics extends Pick<Metrics, "observer"> {
  /** The URL of the metrics; `http://localhost/metrics` for a Unix socket. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves `/metrics` alone on an address of its own, without a credential. Throws ListenError. */
export async function startMetrics(
  service: Service,
  target: ListenTarget,
  { log, ...options }: MetricsOptions & { readonly log: FailureLog },
): Promise<RunningMetrics> {
  const metrics = createMetrics(service, options);
  const answer = createAnswerer(metrics, log);
  const served: Served = { routes: [], compile: () => undefined, fetch: answer, server: null };
  const server = await startServer(served, { target, tls: undefined });
  return { observer: metrics.observer, url: server.url + PATH, stop: () => server.stop(GRACE_MS) };
}

function createAnswerer(metrics: Metrics, log: FailureLog): (request: Request) => Promise<Response> {
  return async (request) => {
    if (pathOf(request) !== PATH) return new Response(`There is only ${PATH} here.\n`, { status: 404, headers: TEXT });
    if (request.method !== "GET" && request.method !== "HEAD") {
      const headers = { ...TEXT, allow: "GET, HEAD" };
      return new Response(`${PATH} can only be read.\n`, { status: 405, headers });
    }
    try {
      const text = await metrics.scrape();
      return new Response(text, { headers: { ...HEADERS, "content-type": metrics.contentType } });
    } catch (error) {
      log.error(traceOf(error), "metrics failed");
      return new Response("The log says why.\n", { status: 500, headers: TEXT });
    }
  };
}

function pathOf({ url }: Request): string | undefined {
  return url.replace(/^[a-z]+:\/\/[^/]*/, "").split("?")[0];
}
