import { Counter } from "prom-client";
import type { Registry } from "prom-client";
import type { ErrorCode } from "../../contract/error-codes.ts";
import type { AnsweredCall, Observer } from "../../http/options.ts";
import { createHistogram } from "./histograms.ts";

/** From an answer out of memory to one that waited for a slow disk. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The methods that are counted by name. A client can make up any number of others. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

const FAILED_AUTHENTICATIONS: ReadonlySet<string> = new Set<ErrorCode>([
  "credential_missing",
  "credential_invalid",
  "credential_expired",
  "credential_in_query",
  "human_credential",
]);

/** The calls of one route by one method. */
interface RouteCounts {
  readonly statuses: Map<number, number>;
  readonly buckets: number[];
  count: number;
  sumSeconds: number;
}

/** Counts calls by route, and refusals by reason. `update` turns the counts into metrics. */
export function createCallMetrics(registry: Registry): Pick<Observer, "onAnswer"> & { readonly update: () => void } {
  const registers = [registry];
  const requests = new Counter({
    name: "handoff_http_requests_total",
    help: "Answered HTTP requests by method, route template and status. Route none: nothing is there.",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const routes = createRouteCounts();
  const durations = {
    name: "handoff_http_request_duration_seconds",
    help: "Time from the arrival of a request to its answer. Requests with wait are left out.",
    bounds: DURATION_BUCKETS,
  };
  createHistogram(registry, durations, () =>
    routes
      .list()
      .filter(([, , { count }]) => count > 0)
      .map(([method, route, { buckets, count, sumSeconds: sum }]) => ({
        labels: { method, route },
        buckets,
        count,
        sum,
      })),
  );
  const refusals = new Counter({
    name: "handoff_refusals_total",
    help: "Refused requests by the code of the error.",
    labelNames: ["code"],
    registers,
  });
  const failures = new Counter({
    name: "handoff_failed_authentications_total",
    help: "Requests without a valid credential, by the code of the error.",
    labelNames: ["code"],
    registers,
  });
  const limited = new Counter({
    name: "handoff_rate_limited_total",
    help: "Answers 429: limit calls is of a credential, limit failures is of an address.",
    labelNames: ["limit"],
    registers,
  });
  for (const code of FAILED_AUTHENTICATIONS) failures.inc({ code }, 0);
  for (const limit of ["calls", "failures"]) limited.inc({ limit }, 0);

  const countRefusal = (code: ErrorCode, { hasCaller, isStranger }: AnsweredCall): void => {
    refusals.inc({ code });
    if (FAILED_AUTHENTICATIONS.has(code) && !isStranger) failures.inc({ code });
    if (code === "rate_limited") limited.inc({ limit: hasCaller ? "calls" : "failures" });
  };
  return {
    onAnswer(call) {
      const method = METHODS.has(call.method) ? call.method : "other";
      const counts = routes.of(method, call.route ?? "none");
      counts.statuses.set(call.status, (counts.statuses.get(call.status) ?? 0) + 1);
      if (!call.isWait) observe(counts, call.durationMs / 1000);
      if (call.code !== undefined) countRefusal(call.code, call);
    },
    update() {
      requests.reset();
      for (const [method, route, { statuses }] of routes.list()) {
        for (const [status, count] of statuses) requests.inc({ method, route, status }, count);
      }
    },
  };
}

function observe(counts: RouteCounts, seconds: number): void {
  let index = 0;
  while (seconds > (DURATION_BUCKETS[index] ?? Infinity)) index++;
  if (index < DURATION_BUCKETS.length) counts.buckets[index] = (counts.buckets[index] ?? 0) + 1;
  counts.count += 1;
  counts.sumSeconds += seconds;
}

/** Counts by method and route. */
function createRouteCounts() {
  const byRoute = new Map<string, Map<string, RouteCounts>>();
  const of = (method: string, route: string): RouteCounts => {
    let byMethod = byRoute.get(route);
    if (!byMethod) byRoute.set(route, (byMethod = new Map()));
    let counts = byMethod.get(method);
    if (!counts) {
      counts = { statuses: new Map(), buckets: DURATION_BUCKETS.map(() => 0), count: 0, sumSeconds: 0 };
      byMethod.set(method, counts);
    }
    return counts;
  };
  const list = () =>
    [...byRoute].flatMap(([route, byMethod]) =>
      [...byMethod].map(([method, counts]) => [method, route, counts] as const),
    );
  return { of, list };
}
