import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { Refusal } from "../domain/errors.ts";
import type { Policy } from "../domain/policies.ts";

const FAILURE_WINDOW_SECONDS = 60;
const BURST_WINDOW_SECONDS = 10;

export type ResponseHeaders = Record<string, string | number>;

export interface RateLimits {
  /**
   * Counts a call of a credential and says in `headers` what is left (draft-ietf-httpapi-ratelimit-headers). Rejects
   * with a Refusal `rate_limited`.
   */
  countCall(credentialId: string, headers: ResponseHeaders): Promise<void>;
  /** Counts a failed authentication of an address. Rejects with a Refusal `rate_limited`. */
  countFailure(addressGroup: string, headers: ResponseHeaders): Promise<void>;
}

export function createRateLimits(policy: Policy): RateLimits {
  const steady = new RateLimiterMemory({ points: policy.callsPerSecond, duration: 1 });
  const extra = Math.max(0, policy.callBurst - policy.callsPerSecond);
  const burst = new RateLimiterMemory({ keyPrefix: "burst", points: extra, duration: BURST_WINDOW_SECONDS });
  const calls = extra > 0 ? new BurstyRateLimiter(steady, burst) : steady;
  const failures = new RateLimiterMemory({
    points: policy.failedAuthenticationsPerMinute,
    duration: FAILURE_WINDOW_SECONDS,
  });
  const callPolicy = `"calls";q=${policy.callsPerSecond};w=1`;
  const failurePolicy = `"failures";q=${policy.failedAuthenticationsPerMinute};w=${FAILURE_WINDOW_SECONDS}`;
  return {
    async countCall(credentialId, headers) {
      headers["ratelimit-policy"] = callPolicy;
      await consume(calls, credentialId, (left) => (headers["ratelimit"] = `"calls";${left}`));
    },
    async countFailure(group, headers) {
      headers["ratelimit-policy"] = failurePolicy;
      await consume(failures, group, (left) => (headers["ratelimit"] = `"failures";${left}`));
    },
  };
}

async function consume(
  limiter: Pick<RateLimiterMemory, "consume">,
  key: string,
  tell: (left: string) => void,
): Promise<void> {
  try {
    const result = await limiter.consume(key);
    tell(`r=${Math.max(0, result.remainingPoints)};t=${seconds(result)}`);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    tell(`r=0;t=${seconds(error)}`);
    throw new Refusal("rate_limited", { retryAfterSeconds: Math.max(1, seconds(error)) });
  }
}

function seconds(result: RateLimiterRes): number {
  return Math.ceil(result.msBeforeNext / 1000);
}
