import type { Context } from "elysia";
import { ERRORS } from "../../contract/errors.ts";
import { API_PREFIX, APP_PREFIX, operationOf, SESSION_PATH } from "../../contract/operations.ts";
import type { OperationId } from "../../contract/operations.ts";
import { authenticate, authorize, markExposed } from "../../domain/callers.ts";
import type { Caller } from "../../domain/callers.ts";
import { Refusal } from "../../domain/errors.ts";
import { authenticatePerson } from "../../domain/persons.ts";
import type { Service } from "../../domain/service.ts";
import type { HttpOptions, ResponseHeaders } from "../options.ts";
import { addressGroup, addressOf } from "./addresses.ts";
import type { Received } from "./addresses.ts";
import { checkBodyHeaders, declaredBytes, maxBodyBytes } from "./bodies.ts";
import type { BodyBudget } from "./body-budgets.ts";
import { answerCors } from "./cors.ts";
import { findCredentials } from "./queries.ts";
import type { QueryCredentials } from "./queries.ts";
import type { RateLimits } from "./rate-limits.ts";
import { matchRoute, prefixOf } from "./routes.ts";
import type { Prefix } from "./routes.ts";
import { checkOwnPage, MAX_SESSION_BODY_BYTES, readSession, sessionOperation } from "./sessions.ts";
import { beginVisit, visitOf } from "./visits.ts";
import type { Visit } from "./visits.ts";

/** The part of Elysia's context that there is before routing. */
type Arrival = Pick<Context, "request" | "set">;

// Bun joins what is repeated with a comma, and takes a host with a slash in it for the beginning of the path.
const HOST = /^[^\s,/\\?#@]+$/;
/** The time that lists of sites that are for HTTPS alone ask for. */
const TWO_YEARS_SECONDS = 2 * 365 * 24 * 60 * 60;
const BEARER = /^bearer +([^\s,]+) *$/i;

type GateOptions = Pick<HttpOptions, "baseUrl" | "corsOrigins" | "logAddresses" | "trustedProxies"> & {
  readonly budget: BodyBudget;
  /** The server that takes the requests; null while there is none. */
  readonly server: () => Received["server"];
};

/**
 * Meets a request before Elysia routes it, in the order of the contract, section 8: everything that can refuse without
 * the body comes here. Returns a Response only for a CORS preflight. Throws a Refusal.
 */
export function createGate(service: Service, options: GateOptions, limits: RateLimits) {
  const maxBytes = maxBodyBytes(service.policy.maxCiphertextBytes);
  const { budget } = options;

  const addressOfCaller = (request: Request) =>
    addressOf({ request, server: options.server() }, options.trustedProxies);
  const groupOf = ({ request }: Arrival) => addressGroup(addressOfCaller(request));

  /**
   * Counts a refusal, from before anybody was known, against the address of the caller. Returns `error` to be thrown. Throws
   * a Refusal `rate_limited` in its place when there were too many.
   */
  const counted = (arrival: Arrival, error: unknown): unknown => {
    if (!(error instanceof Refusal)) return error;
    const visit = visitOf(arrival.request);
    visit.keyId = error.options.keyId;
    // The page asks whether somebody is signed in; that nobody is, is no guess.
    const isGuess = error.code !== "credential_missing" || visit.prefix !== APP_PREFIX;
    if (isGuess && ERRORS[error.code].status < 500) limits.countFailure(groupOf(arrival), arrival.set.headers);
    return error;
  };

  /** The operation that path and method lead to. Throws a Refusal: those of `matchRoute`, or `credential_in_query`. */
  const route = ({ method }: Request, visit: Visit, prefix: Prefix, { found }: QueryCredentials): OperationId => {
    const { operation, id } = matchRoute(method, visit.path, prefix);
    visit.operation = operation;
    visit.prefix = prefix;
    visit.id = id;
    if (found) throw new Refusal("credential_in_query");
    return operation;
  };

  const identify = ({ headers }: Request, prefix: Prefix, id: string | undefined): Promise<Caller> =>
    prefix === API_PREFIX
      ? authenticate(service, readBearerToken(headers), id)
      : authenticatePerson(service, readSession(headers));

  const meetOperation = async (
    arrival: Arrival,
    visit: Visit,
    prefix: Prefix,
    credentials: QueryCredentials,
  ): Promise<undefined> => {
    const { request, set } = arrival;
    let operationId: OperationId;
    let caller: Caller;
    try {
      operationId = route(request, visit, prefix, credentials);
      caller = visit.caller = await identify(request, prefix, visit.id);
    } catch (error) {
      throw counted(arrival, error);
    }
    const operation = operationOf(operationId);
    limits.countCall(caller.credentialId, set.headers);
    authorize(caller, operation, visit.id);
    checkBodyHeaders(request.headers, operation, maxBytes);
    if (operation.takesBody)
      visit.bodyRoom = budget.take(caller.credentialId, declaredBytes(request.headers), maxBytes);
  };

  /** Signing in and out: nobody has to be known, and what is tried counts against the address. */
  const meetSession = (arrival: Arrival, visit: Visit, { found }: QueryCredentials): void => {
    const { request } = arrival;
    const operation = sessionOperation(request);
    if (found) throw new Refusal("credential_in_query");
    if (!operation.takesBody) return;
    checkBodyHeaders(request.headers, operation, MAX_SESSION_BODY_BYTES);
    visit.bodyRoom = budget.take(groupOf(arrival), declaredBytes(request.headers), maxBytes);
  };

  const meetPage = (arrival: Arrival, visit: Visit, credentials: QueryCredentials): Promise<undefined> | undefined => {
    try {
      checkOwnPage(arrival.request, options.baseUrl());
      if (visit.path === SESSION_PATH) return void meetSession(arrival, visit, credentials);
    } catch (error) {
      throw counted(arrival, error);
    }
    return meetOperation(arrival, visit, APP_PREFIX, credentials);
  };

  const meet = (arrival: Arrival, visit: Visit, credentials: QueryCredentials) => {
    const { request, set } = arrival;
    checkAddress(request, visit);
    switch (prefixOf(visit.path)) {
      case undefined:
        return undefined;
      case APP_PREFIX:
        return meetPage(arrival, visit, credentials);
      case API_PREFIX:
        return answerCors(request, set.headers, options.corsOrigins) === "preflight"
          ? new Response(null, { status: 204 })
          : meetOperation(arrival, visit, API_PREFIX, credentials);
    }
  };

  return (arrival: Arrival): Response | undefined | Promise<Response | undefined> => {
    const { request } = arrival;
    const visit = beginVisit(request);
    if (options.logAddresses) visit.address = addressOfCaller(request);
    const isTls = options.baseUrl().startsWith("https:") || request.url.startsWith("https:");
    setCommonHeaders(arrival.set.headers, visit.requestId, isTls);
    const credentials = findCredentials(visit.search);
    if (credentials.tokens.length === 0) return meet(arrival, visit, credentials);
    return markAllExposed(service, credentials.tokens).then(() => meet(arrival, visit, credentials));
  };
}

async function markAllExposed(service: Service, tokens: readonly string[]): Promise<void> {
  for (const token of tokens) await markExposed(service, token);
}

/** Throws a Refusal: `invalid_header` without one Host that is a host, `not_found` for a path with another spelling. */
function checkAddress({ headers }: Request, { hasHost, isAsSent }: Visit): void {
  if (!hasHost || !HOST.test(headers.get("host") ?? "localhost")) {
    throw new Refusal("invalid_header", { detail: "The Host header is missing, repeated, or no host." });
  }
  if (!isAsSent) throw new Refusal("not_found");
}

/** The token of the Authorization header. Throws a Refusal: other schemes, cookies and the like are no credentials. */
function readBearerToken(headers: Headers): string {
  const authorization = headers.get("authorization")?.trim() ?? "";
  if (!/^bearer(\s|$)/i.test(authorization)) throw new Refusal("credential_missing");
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw new Refusal("credential_invalid");
  return token;
}

function setCommonHeaders(headers: ResponseHeaders, requestId: string, isTls: boolean): void {
  headers["x-content-type-options"] = "nosniff";
  headers["cache-control"] = "no-store";
  headers["x-request-id"] = requestId;
  if (isTls) headers["strict-transport-security"] = `max-age=${TWO_YEARS_SECONDS}`;
}
