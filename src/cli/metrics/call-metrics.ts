import { Counter, Histogram } from "prom-client";
import type { Registry } from "prom-client";
import type { ErrorCode } from "../../contract/error-codes.ts";
import type { AnsweredCall, Observer } from "../../http/options.ts";

/** From an answer out of memory to one that waited for a slow disk. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The methods that are counted by their names: whoever calls can make up any number of others. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

const FAILED_AUTHENTICATIONS: ReadonlySet<string> = new Set<ErrorCode>([
  "credential_missing",
  "credential_invalid",
  "credential_expired",
  "credential_in_query",
  "human_credential",
]);

/** Counts calls by their routes, and what they were refused for. */
export function createCallMetrics(registry: Registry): Pick<Observer, "onAnswer"> {
  const registers = [registry];
  const requests = new Counter({
    name: "handoff_http_requests_total",
    help: "Answered HTTP requests by method, route template and status. Route none: nothing is there.",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "handoff_http_request_duration_seconds",
    help: "Time from the arrival of a request to its answer. Requests with wait are left out.",
    labelNames: ["method", "route"],
    buckets: DURATION_BUCKETS,
    registers,
  });
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
      const route = call.route ?? "none";
      requests.inc({ method, route, status: call.status });
      if (!call.isWait) durations.observe({ method, route }, call.durationMs / 1000);
      if (call.code !== undefined) countRefusal(call.code, call);
    },
  };
}
