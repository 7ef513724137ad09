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
import { checkBodyHeaders, declaredBytes, maxBodyBytes } from "./bodies.ts";
import { createBodyBudget } from "./body-budgets.ts";
import { answerCors } from "./cors.ts";
import { logVisit } from "./logs.ts";
import { findCredentials } from "./queries.ts";
import type { QueryCredentials } from "./queries.ts";
import type { RateLimits } from "./rate-limits.ts";
import { matchRoute, prefixOf } from "./routes.ts";
import type { Match, Prefix } from "./routes.ts";
import { checkOwnPage, MAX_SESSION_BODY_BYTES, readSession, sessionOperation } from "./sessions.ts";
import { beginVisit, visitOf } from "./visits.ts";

/** The part of Elysia's context that there is before routing. */
export type Arrival = Pick<Context, "request" | "set" | "server">;

// Bun joins what is repeated with a comma, and takes a host with a slash in it for the beginning of the path.
const HOST = /^[^\s,/\\?#@]+$/;
/** The time that lists of sites that are for HTTPS alone ask for. */
const TWO_YEARS_SECONDS = 2 * 365 * 24 * 60 * 60;
const BEARER = /^bearer +([^\s,]+) *$/i;

type GateOptions = Pick<
  HttpOptions,
  "baseUrl" | "bodyMemoryBytes" | "corsOrigins" | "log" | "logAddresses" | "trustedProxies"
>;

/**
 * Meets a request before Elysia routes it, in the order of the contract, section 8: everything that can refuse without
 * the body comes here. Returns a Response only for a CORS preflight. Throws a Refusal.
 */
export function createGate(service: Service, options: GateOptions, limits: RateLimits) {
  const maxBytes = maxBodyBytes(service.policy.maxCiphertextBytes);
  const budget = createBodyBudget(options.bodyMemoryBytes, maxBytes);

  const groupOf = (arrival: Arrival) => addressGroup(addressOf(arrival, options.trustedProxies));

  /** Runs `check`; what it refuses counts against the address of the caller, unless it `isNoGuess`. */
  const counted = async <T>(
    arrival: Arrival,
    check: () => T | Promise<T>,
    isNoGuess: (refusal: Refusal) => boolean = () => false,
  ): Promise<T> => {
    try {
      return await check();
    } catch (error) {
      if (error instanceof Refusal && error.options.keyId) visitOf(arrival.request).keyId = error.options.keyId;
      if (error instanceof Refusal && ERRORS[error.code].status < 500 && !isNoGuess(error)) {
        limits.countFailure(groupOf(arrival), arrival.set.headers);
      }
      throw error;
    }
  };

  const identify = async (arrival: Arrival, prefix: Prefix, id: string | undefined): Promise<Caller> => {
    const { headers } = arrival.request;
    if (prefix === API_PREFIX) return counted(arrival, () => authenticate(service, readBearerToken(headers), id));
    const session = readSession(headers);
    // The page asks whether somebody is signed in; that nobody is, is no guess.
    return counted(
      arrival,
      () => authenticatePerson(service, session),
      () => session === undefined,
    );
  };

  /**
   * The operation that path and method of `arrival` lead to. Throws a Refusal: those of `matchRoute`, or
   * `credential_in_query`.
   */
  const route = ({ request }: Arrival, prefix: Prefix, { found }: QueryCredentials): Match => {
    const visit = visitOf(request);
    const match = matchRoute(request.method, visit.path, prefix);
    Object.assign(visit, { operation: match.operation, prefix });
    if (found) throw new Refusal("credential_in_query");
    return match;
  };

  /** Signing in and out: nobody has to be known, and what is tried counts against the address. */
  const meetSession = async (arrival: Arrival, { found }: QueryCredentials): Promise<void> => {
    const { request } = arrival;
    const operation = await counted(arrival, () => {
      const called = sessionOperation(request);
      if (found) throw new Refusal("credential_in_query");
      if (called.takesBody) checkBodyHeaders(request.headers, called, MAX_SESSION_BODY_BYTES);
      return called;
    });
    if (!operation.takesBody) return;
    visitOf(request).bodyRoom = budget.take(groupOf(arrival), declaredBytes(request.headers));
  };

  const meetOperation = async (arrival: Arrival, prefix: Prefix, credentials: QueryCredentials): Promise<void> => {
    const { headers } = arrival.request;
    const visit = visitOf(arrival.request);
    const { operation: operationId, id } = await counted(arrival, () => route(arrival, prefix, credentials));
    const operation = operationOf(operationId);
    const caller = (visit.caller = await identify(arrival, prefix, id));
    limits.countCall(caller.credentialId, arrival.set.headers);
    authorize(caller, operation, id);
    checkBodyHeaders(headers, operation, maxBytes);
    const bytes = answerBytes(operationId, caller);
    if (bytes > 0) visit.answerRoom = budget.take(caller.credentialId, bytes);
    if (operation.takesBody) visit.bodyRoom = budget.take(caller.credentialId, declaredBytes(headers));
  };

  const answerPreflight = (request: Request): Response => {
    logVisit(options.log, visitOf(request), { method: request.method, status: 204 });
    return new Response(null, { status: 204 });
  };

  return async (arrival: Arrival): Promise<Response | undefined> => {
    const { request } = arrival;
    const headers = arrival.set.headers as ResponseHeaders;
    const visit = beginVisit(request);
    if (options.logAddresses) visit.address = addressOf(arrival, options.trustedProxies);
    setCommonHeaders(headers, options.baseUrl().startsWith("https:") || request.url.startsWith("https:"));
    headers["x-request-id"] = visit.requestId;
    const credentials = findCredentials(visit.search);
    for (const token of credentials.tokens) await markExposed(service, token);
    if (!visit.hasHost || !HOST.test(request.headers.get("host") ?? "localhost")) {
      throw new Refusal("invalid_header", { detail: "The Host header is missing, repeated, or no host." });
    }
    if (!visit.isAsSent) throw new Refusal("not_found");
    const prefix = prefixOf(visit.path);
    if (!prefix) return undefined;
    if (prefix === APP_PREFIX) await counted(arrival, () => checkOwnPage(request, options.baseUrl()));
    if (prefix === API_PREFIX) {
      const cors = answerCors(request, options.corsOrigins);
      Object.assign(headers, cors.headers);
      if (cors.isPreflight) return answerPreflight(request);
    }
    if (visit.path === SESSION_PATH) await meetSession(arrival, credentials);
    else await meetOperation(arrival, prefix, credentials);
    return undefined;
  };
}

/** The token of the Authorization header. Throws a Refusal: other schemes, cookies and the like are no credentials. */
function readBearerToken(headers: Headers): string {
  const authorization = headers.get("authorization")?.trim() ?? "";
  if (!/^bearer(\s|$)/i.test(authorization)) throw new Refusal("credential_missing");
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw new Refusal("credential_invalid");
  return token;
}

/** The bytes of an answer that whoever holds a link may ask for again and again, and then not read; 0 for others. */
function answerBytes(operation: OperationId, caller: Caller): number {
  return operation === "claimSecret" && caller.kind === "claim" ? caller.secret.ciphertextBytes : 0;
}

function setCommonHeaders(headers: ResponseHeaders, isTls: boolean): void {
  headers["x-content-type-options"] = "nosniff";
  headers["cache-control"] = "no-store";
  if (isTls) headers["strict-transport-security"] = `max-age=${TWO_YEARS_SECONDS}`;
}
