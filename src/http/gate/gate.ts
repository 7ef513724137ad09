import type { AnyElysia, Context } from "elysia";
import { ERRORS } from "../../contract/errors.ts";
import { isId } from "../../contract/ids.ts";
import { API_PREFIX, APP_PREFIX, operationOf, UPLOADS_PATH } from "../../contract/operations.ts";
import type { Operation, OperationId } from "../../contract/operations.ts";
import { authorize, markExposed } from "../../domain/callers.ts";
import type { Caller, PersonCaller } from "../../domain/callers.ts";
import type { Service } from "../../domain/service.ts";
import { authenticatePerson, authenticateToken, useSession } from "../../domain/sessions.ts";
import { Refusal } from "../../domain/values/errors.ts";
import { isInNetworks } from "../../domain/values/networks.ts";
import type { HttpOptions, ResponseHeaders } from "../options.ts";
import { addressGroup, addressOf } from "./addresses.ts";
import type { Received } from "./addresses.ts";
import { checkBodyHeaders, declaredBytes, maxBodyBytes } from "./bodies.ts";
import type { BodyBudget } from "./body-budgets.ts";
import { answerCors } from "./cors.ts";
import { findCredentials } from "./queries.ts";
import type { RateLimits } from "./rate-limits.ts";
import { isOperationPath, unknownRoute } from "./routes.ts";
import type { Prefix } from "./routes.ts";
import { checkOwnPage, isPassive, MAX_SESSION_BODY_BYTES, readSession } from "./sessions.ts";
import { beginVisit, visitOf } from "./visits.ts";
import type { Visit } from "./visits.ts";

/** The part of Elysia's context that there is before routing. */
type Arrival = Pick<Context, "request" | "set">;
/** The part of it that the gate uses after routing. */
type Routed = Arrival & { readonly params?: { readonly id?: string } | undefined };

// Bun joins repeated headers with a comma, and takes a host with a slash in it for the beginning of the path.
const HOST = /^[^\s,/\\?#@]+$/;
/** The preload lists of browsers ask for this long. */
const TWO_YEARS_SECONDS = 2 * 365 * 24 * 60 * 60;
const BEARER = /^bearer +([^\s,]+) *$/i;

type GateOptions = Pick<HttpOptions, "baseUrl" | "corsOrigins" | "logAddresses" | "trustedProxies"> & {
  readonly budget: BodyBudget;
  /** The server that takes the requests; null while there is none. */
  readonly server: () => Received["server"];
};

/** The checks that a request passes before its body is read, in the order of the contract, section 8. */
export interface Gate {
  /** Begins a visit before routing. Returns a Response for a CORS preflight. Throws a Refusal, as for a wrong Host. */
  arrive(arrival: Arrival): Response | undefined | Promise<Response | undefined>;
  /** Finds the caller of an operation below `prefix`, and checks what they may do and send. Rejects with a Refusal. */
  admit(routed: Routed, operation: OperationId, prefix: Prefix): Promise<void>;
  /** Finds the caller of a call that isn't an operation, and whose body its route reads. Rejects with a Refusal. */
  admitOther(routed: Routed, operation: Pick<Operation, "callers">): Promise<Caller>;
  /** Finds the person of a call about their own account, and checks what they send. Rejects with a Refusal. */
  admitPerson(arrival: Arrival, operation: Pick<Operation, "method" | "takesBody">): Promise<PersonCaller>;
  /** Finds the person whose terminal calls. Rejects with a Refusal, `not_found` for every other caller. */
  admitTerminal(arrival: Arrival): Promise<PersonCaller>;
  /** Checks a call that signs in or out, or asks who is signed in. The caller may be unknown. Throws a Refusal. */
  admitToSession(arrival: Arrival, operation: Pick<Operation, "method" | "takesBody">): void;
  /** The error to answer a request with that `app` has no route for. */
  refuseUnknown(arrival: Arrival, app: Pick<AnyElysia, "router" | "routes">): unknown;
}

export function createGate(service: Service, options: GateOptions, limits: RateLimits): Gate {
  const maxBytes = maxBodyBytes(service.policy.maxCiphertextBytes);
  const { budget } = options;

  const addressOfCaller = (request: Request) =>
    addressOf({ request, server: options.server() }, options.trustedProxies);
  const groupOf = ({ request }: Arrival) => addressGroup(addressOfCaller(request));

  /** Counts a refusal of an unknown caller against the address. Returns `error`, or the Refusal `rate_limited`. */
  const counted = (arrival: Arrival, error: unknown): unknown => {
    if (!(error instanceof Refusal)) return error;
    const visit = visitOf(arrival.request);
    visit.keyId = error.options.keyId ?? visit.keyId;
    // The page asks whether a person is signed in. A negative answer is no failed guess.
    const isGuess = error.code !== "credential_missing" || visit.prefix !== APP_PREFIX;
    if (!isGuess || ERRORS[error.code].status >= 500) return error;
    try {
      limits.countFailure(groupOf(arrival), arrival.set.headers);
      return error;
    } catch (limited) {
      return limited;
    }
  };

  const identifyPerson = async (request: Request, visit: Visit): Promise<PersonCaller> => {
    const caller = await authenticatePerson(service, readSession(request.headers));
    return isPassive(request, visit.search) ? caller : useSession(service, caller);
  };
  /** The id of the request for which an upload is handed in; undefined for any other upload. */
  const findRequestOf = async (uploadId = ""): Promise<string | undefined> => {
    const upload = isId(uploadId, "upload") ? await service.large?.uploads.findUpload(uploadId) : undefined;
    return upload && isId(upload.createdBy, "request") ? upload.createdBy : undefined;
  };
  const identifyBearer = async (request: Request, visit: Visit, id: string | undefined): Promise<Caller> => {
    const isIn = (networks: string) => isInNetworks(networks, addressOfCaller(request));
    const origin = { isIn, network: visit.address };
    const token = readBearerToken(request.headers);
    const linkedId = isOfUpload(visit) ? await findRequestOf(id) : id;
    const caller = await authenticateToken(service, token, linkedId, origin);
    return caller.kind === "person" && !isPassive(request, visit.search) ? useSession(service, caller) : caller;
  };

  /** Finds the caller of a call, and counts it. Rejects with a Refusal, which counts against the address. */
  const meetCaller = async <C extends Caller>(
    arrival: Arrival,
    visit: Visit,
    identify: () => Promise<C>,
  ): Promise<C> => {
    let caller: C;
    try {
      if (!isOperationPath(visit.path)) throw new Refusal("not_found");
      checkQuery(visit);
      caller = await identify();
      if (visit.address !== undefined) caller = { ...caller, network: visit.address };
      visit.caller = caller;
    } catch (error) {
      throw counted(arrival, error);
    }
    limits.countCall(caller.credentialId, arrival.set.headers);
    return caller;
  };

  const meet = (arrival: Arrival, visit: Visit): Response | undefined => {
    const { request, set } = arrival;
    const { prefix, isAsSent } = visit;
    checkHost(request, visit);
    try {
      if (prefix === APP_PREFIX) checkOwnPage(request, options.baseUrl());
      if (prefix === API_PREFIX && answerCors(request, set.headers, options.corsOrigins) === "preflight") {
        return new Response(null, { status: 204 });
      }
      if (!isAsSent) throw new Refusal("not_found");
    } catch (error) {
      throw prefix ? counted(arrival, error) : error;
    }
    return undefined;
  };

  return {
    arrive(arrival) {
      const { request } = arrival;
      const visit = beginVisit(request);
      if (options.logAddresses) visit.address = addressOfCaller(request);
      const isTls = options.baseUrl().startsWith("https:") || request.url.startsWith("https:");
      setCommonHeaders(arrival.set.headers, visit.requestId, isTls);
      const { found, tokens } = findCredentials(visit.search);
      visit.hasCredentialInQuery = found;
      if (tokens.length === 0) return meet(arrival, visit);
      return markAllExposed(service, tokens).then((keyId) => {
        visit.keyId = keyId;
        return meet(arrival, visit);
      });
    },
    async admit(routed, operationId, prefix) {
      const operation = operationOf(operationId);
      const { request, set } = routed;
      const id = routed.params?.id;
      const visit = visitOf(request);
      const caller = await meetCaller<Caller>({ request, set }, visit, () =>
        prefix === API_PREFIX ? identifyBearer(request, visit, id) : identifyPerson(request, visit),
      );
      authorize(caller, operation, isOfUpload(visit) ? undefined : id);
      checkBodyHeaders(request.headers, operation, maxBytes);
      if (operation.takesBody) visit.bodyRoom = budget.take(holderOf(caller), declaredBytes(request.headers));
    },
    async admitOther({ request, set, params }, operation) {
      const visit = visitOf(request);
      const id = params?.id;
      const caller = await meetCaller<Caller>({ request, set }, visit, () =>
        visit.prefix === APP_PREFIX ? identifyPerson(request, visit) : identifyBearer(request, visit, id),
      );
      authorize(caller, operation, isOfUpload(visit) ? undefined : id);
      return caller;
    },
    async admitPerson(arrival, operation) {
      const { request } = arrival;
      const visit = visitOf(request);
      const caller = await meetCaller(arrival, visit, () => identifyPerson(request, visit));
      if (operation.takesBody) {
        checkBodyHeaders(request.headers, operation, MAX_SESSION_BODY_BYTES);
        visit.bodyRoom = budget.take(holderOf(caller), declaredBytes(request.headers));
      }
      return caller;
    },
    async admitTerminal(arrival) {
      const { request } = arrival;
      const visit = visitOf(request);
      const caller = await meetCaller(arrival, visit, () => identifyBearer(request, visit, undefined));
      if (caller.kind !== "person") throw new Refusal("not_found");
      return caller;
    },
    admitToSession(arrival, operation) {
      const { request } = arrival;
      const visit = visitOf(request);
      try {
        checkQuery(visit);
        if (!operation.takesBody) return;
        checkBodyHeaders(request.headers, operation, MAX_SESSION_BODY_BYTES);
        visit.bodyRoom = budget.take({ caller: groupOf(arrival) }, declaredBytes(request.headers));
      } catch (error) {
        throw counted(arrival, error);
      }
    },
    refuseUnknown(arrival, app) {
      const { path, prefix } = visitOf(arrival.request);
      if (!prefix) return unknownRoute(app, path);
      return counted(arrival, isOperationPath(path) ? unknownRoute(app, path) : new Refusal("not_found"));
    },
  };
}

const holderOf = ({ credentialId, teamId }: Caller) => ({ caller: credentialId, group: teamId });

/** True for a path with the id of an upload, which is not that of a link. */
function isOfUpload({ path, prefix }: Visit): boolean {
  return path.startsWith(`${prefix}${UPLOADS_PATH}/`);
}

/** Returns the id of the first of them that is a key. */
async function markAllExposed(service: Service, tokens: readonly string[]): Promise<string | undefined> {
  let first: string | undefined;
  for (const token of tokens) {
    const id = await markExposed(service, token);
    first ??= id;
  }
  return first;
}

/** Throws a Refusal `credential_in_query`. */
function checkQuery({ hasCredentialInQuery }: Visit): void {
  if (hasCredentialInQuery) throw new Refusal("credential_in_query");
}

/** Throws a Refusal `invalid_header` without one Host that is a host. */
function checkHost({ headers }: Request, { hasHost }: Visit): void {
  if (hasHost && HOST.test(headers.get("host") ?? "localhost")) return;
  throw new Refusal("invalid_header", { detail: "The Host header is missing, repeated, or no host." });
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
