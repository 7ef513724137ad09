import { Elysia } from "elysia";
import { ERRORS } from "../contract/errors.ts";
import { MAX_WAIT_SECONDS } from "../contract/limits.ts";
import { API_PREFIX, APP_PREFIX } from "../contract/operations.ts";
import type { Service } from "../domain/service.ts";
import { addressGroup, addressOf } from "./gate/addresses.ts";
import { maxBodyBytes } from "./gate/bodies.ts";
import { createBodyBudget } from "./gate/body-budgets.ts";
import { problemHeaders, toProblem, toRefusal, withOutcome } from "./gate/errors.ts";
import { createGate } from "./gate/gate.ts";
import { createTroubleFilter, logFailure, logStorageFailure, logVisit } from "./gate/logs.ts";
import { createRateLimits } from "./gate/rate-limits.ts";
import type { RateLimits } from "./gate/rate-limits.ts";
import { visitOf } from "./gate/visits.ts";
import type { HttpOptions, ResponseHeaders } from "./options.ts";
import { docsRoutes } from "./pages/docs.ts";
import { createPage } from "./pages/page.ts";
import { problemRoutes } from "./pages/problem-pages.ts";
import { accountRoutes } from "./resources/account.ts";
import { apiRoutes } from "./resources/api.ts";
import { healthRoutes } from "./resources/health.ts";
import { createLargeAnswers } from "./resources/large-answers.ts";
import { loginRoutes } from "./resources/logins.ts";
import { mailOffRoutes } from "./resources/mail-off.ts";
import { mailSignInRoutes } from "./resources/mail-sign-ins.ts";
import { providerRoutes } from "./resources/providers.ts";
import { sessionRoutes } from "./resources/sessions.ts";
import { downloadRoutes, uploadRoutes } from "./resources/uploads.ts";

/** The idle timeout of a request that waits: the longest `wait`, and some time to answer. */
export const WAIT_TIMEOUT_SECONDS = MAX_WAIT_SECONDS + 30;

/**
 * The whole HTTP side. The gate meets a request before its body is read; Elysia routes it, checks it against the
 * schemas of its route and calls the handler. Every request gets one answer and one line in the log.
 */
export function createApp(service: Service, options: HttpOptions) {
  const limits = createRateLimits(service.policy, service.clock);
  const isNewTrouble = createTroubleFilter();
  const app = new Elysia({ normalize: false, strictPath: true });
  const page = options.page && createPage({ ...options, read: options.page });
  const budget = createBodyBudget(options.bodyMemoryBytes, maxBodyBytes(service.policy.maxCiphertextBytes));
  options.observer?.watchBodies(budget.taken);
  const server = () => app.server;
  const gate = createGate(service, { ...options, budget, server }, limits);

  /** Logs and counts an answered request, and releases its memory. */
  const endVisit = (request: Request, { status }: Response): void => {
    const visit = visitOf(request);
    visit.bodyRoom?.release();
    const { answerRoom, answerSent } = visit;
    if (answerSent) void answerSent.then(() => answerRoom?.release());
    else answerRoom?.release();
    const answered = { method: request.method, status, durationMs: performance.now() - visit.startedAt };
    logVisit(options.log, visit, answered);
    options.observer?.onAnswer({
      ...answered,
      route: visit.route,
      code: visit.refusal?.code,
      hasCaller: visit.caller !== undefined,
      isStranger: visit.prefix === APP_PREFIX && visit.refusal?.code === "credential_missing",
      isWait: visit.isWait,
    });
  };

  const groupOf = (request: Request) =>
    addressGroup(addressOf({ request, server: app.server }, options.trustedProxies));
  const apiOptions = {
    ...options,
    largeAnswers: createLargeAnswers(budget, service.policy, server),
    countMail(request: Request, mail: Parameters<RateLimits["countMail"]>[1], headers: ResponseHeaders) {
      limits.countMail(groupOf(request), mail, headers);
    },
    countAsk(request: Request, secretId: string, headers: ResponseHeaders) {
      limits.countAsk(groupOf(request), secretId, headers);
    },
    onWait(request: Request) {
      visitOf(request).isWait = true;
      app.server?.timeout(request, WAIT_TIMEOUT_SECONDS);
    },
  };
  return app
    .wrap((answer) => async (request: Request) => {
      // By Elysia's types it would return a function.
      const response = await (answer(request) as unknown as Promise<Response>);
      const { over } = visitOf(request);
      if (over) void over.then(() => endVisit(request, response));
      else endVisit(request, response);
      return response;
    })
    .onRequest(({ request, set }) => gate.arrive({ request, set }))
    .onError(({ code, error, request, set }) => {
      const visit = visitOf(request);
      const refusal = toRefusal(code === "NOT_FOUND" ? gate.refuseUnknown({ request, set }, app) : error);
      const { status } = ERRORS[refusal.code];
      const { cause } = refusal.options;
      if (refusal.code === "storage_unavailable") {
        if (cause !== undefined && isNewTrouble(cause)) logStorageFailure(options.log, visit, cause);
      } else if (status >= 500 && refusal.code !== "server_busy") {
        logFailure(options.log, visit, cause ?? error, refusal.options.reason);
      }
      set.status = status;
      visit.refusal = refusal;
      Object.assign(set.headers, problemHeaders(refusal));
      const isForPeople = request.headers.get("accept")?.includes("text/html") && !visit.prefix;
      if (page && isForPeople && refusal.code === "not_found") return page.answerNowhere(visit.path, { request, set });
      return JSON.stringify(toProblem(withOutcome(refusal, request.method), visit.requestId, options.baseUrl()));
    })
    .use(apiRoutes(service, apiOptions, gate, API_PREFIX))
    .use(apiRoutes(service, apiOptions, gate, APP_PREFIX))
    .use(sessionRoutes(service, options, gate, limits))
    .use(providerRoutes(service, options, gate, limits))
    .use(mailSignInRoutes(service, options, gate, limits))
    .use(accountRoutes(service, options, gate))
    .use(loginRoutes(service, options, gate, limits))
    .use(uploadRoutes(service, options, gate, API_PREFIX))
    .use(uploadRoutes(service, options, gate, APP_PREFIX))
    .use(downloadRoutes(service, gate, API_PREFIX))
    .use(downloadRoutes(service, gate, APP_PREFIX))
    .use(docsRoutes(service.policy, options))
    .use(page ? page.routes : new Elysia())
    .use(page ? mailOffRoutes(service, page) : new Elysia())
    .use(healthRoutes(service.store, options))
    .use(problemRoutes());
}

export type App = ReturnType<typeof createApp>;
