import type { Clock } from "../../domain/ports/sources.ts";
import type { ServerPolicy } from "../../domain/server-policies.ts";
import { Refusal } from "../../domain/values/errors.ts";
import { toName } from "../../domain/values/name-forms.ts";
import type { ResponseHeaders } from "../options.ts";
import { createTokenBuckets } from "./token-buckets.ts";
import type { TokenBuckets } from "./token-buckets.ts";

const FAILURE_WINDOW_SECONDS = 60;
/** How many times as many sign-ins at a provider may begin. */
const OFFICE = 10;
const HOUR_SECONDS = 3600;
/** The mails in an hour to an address, and for a network. */
const MAILS_OF_ADDRESS = 5;
const MAILS_OF_NETWORK = 20;
/** The asks for the approval of one secret in ten minutes, for a network. Five can wait at once. */
const ASKS_OF_NETWORK = 3;
const ASKS_SECONDS = 600;
/** The most holders that are remembered, in about ten megabytes. */
const MAX_HOLDERS = 50_000;

export interface RateLimits {
  /** Counts a call, and sets the headers of draft-ietf-httpapi-ratelimit-headers. Throws a Refusal `rate_limited`. */
  countCall(credentialId: string, headers: ResponseHeaders): void;
  /** Counts the beginning of a sign-in at a provider: an office makes many at once. Throws a Refusal `rate_limited`. */
  countProviderAttempt(addressGroup: string, headers: ResponseHeaders): void;
  /** Counts the beginning of a sign-in with a passkey, which stores something. Throws a Refusal `rate_limited`. */
  countPasskeyAttempt(addressGroup: string, headers: ResponseHeaders): void;
  /** Counts the beginning of a terminal's login, which does too. Throws a Refusal `rate_limited`. */
  countLogin(addressGroup: string, headers: ResponseHeaders): void;
  /** Throws a Refusal `rate_limited` for an address that has no failure left. A guess must not be right then. */
  checkFailures(addressGroup: string): void;
  /**
   * Counts a mail that somebody asks for, against their address, and against the one that it goes to, known or not:
   * for each link by itself, and without `subjectId` for signing in. Otherwise strangers could use up the codes of a
   * link that they don't have. Throws a Refusal `rate_limited`.
   */
  countMail(
    addressGroup: string,
    mail: { readonly address: string; readonly subjectId: string | undefined },
    headers: ResponseHeaders,
  ): void;
  /** Counts an ask for an approval: one network must not take all places. Throws a Refusal `rate_limited`. */
  countAsk(addressGroup: string, secretId: string, headers: ResponseHeaders): void;
  /** Counts a refusal from before the caller was known against their address. Throws a Refusal `rate_limited`. */
  countFailure(addressGroup: string, headers: ResponseHeaders): void;
}

export function createRateLimits(policy: ServerPolicy, clock: Clock): RateLimits {
  const bucketsOf = (capacity: number, perSecond: number) =>
    createTokenBuckets({ capacity, perSecond, maxHolders: MAX_HOLDERS, now: () => clock.now() });
  const limit = (name: string, capacity: number, perSecond: number, buckets = bucketsOf(capacity, perSecond)) => {
    const terms = `"${name}";q=${capacity};w=${Math.ceil(capacity / perSecond)}`;
    return (holder: string, headers: ResponseHeaders) => count(buckets, { name, terms, holder, headers });
  };
  const failures = policy.failedAuthenticationsPerMinute;
  const failed = bucketsOf(failures, failures / FAILURE_WINDOW_SECONDS);
  const countNetworkMail = limit("mails", MAILS_OF_NETWORK, MAILS_OF_NETWORK / HOUR_SECONDS);
  const countAddressMail = limit("mails", MAILS_OF_ADDRESS, MAILS_OF_ADDRESS / HOUR_SECONDS);
  const countAsk = limit("asks", ASKS_OF_NETWORK, ASKS_OF_NETWORK / ASKS_SECONDS);
  return {
    checkFailures(addressGroup) {
      const waitMs = failed.waitFor(addressGroup);
      if (waitMs > 0) throw new Refusal("rate_limited", { retryAfterSeconds: seconds(waitMs) });
    },
    countMail(addressGroup, { address, subjectId = "" }, headers) {
      countNetworkMail(addressGroup, headers);
      // Not told: how many are left says whether somebody else has asked.
      countAddressMail(`${subjectId} ${toName(address).toLowerCase()}`, {});
    },
    countAsk: (addressGroup, secretId, headers) => countAsk(`${secretId} ${addressGroup}`, headers),
    countCall: limit("calls", policy.callBurst, policy.callsPerSecond),
    countProviderAttempt: limit("attempts", OFFICE * failures, (OFFICE * failures) / FAILURE_WINDOW_SECONDS),
    countPasskeyAttempt: limit("attempts", failures, failures / FAILURE_WINDOW_SECONDS),
    countLogin: limit("logins", failures, failures / FAILURE_WINDOW_SECONDS),
    countFailure: limit("failures", failures, failures / FAILURE_WINDOW_SECONDS, failed),
  };
}

function count(
  buckets: TokenBuckets,
  of: { readonly name: string; readonly terms: string; readonly holder: string; readonly headers: ResponseHeaders },
): void {
  const { isAllowed, left, waitMs, fullMs } = buckets.spend(of.holder);
  of.headers["ratelimit-policy"] = of.terms;
  of.headers["ratelimit"] = `"${of.name}";r=${left};t=${seconds(fullMs)}`;
  if (!isAllowed) throw new Refusal("rate_limited", { retryAfterSeconds: seconds(waitMs) });
}

/** Whole seconds, at least one. */
function seconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}
