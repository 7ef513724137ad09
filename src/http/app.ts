import { Elysia } from "elysia";
import { ERRORS } from "../contract/errors.ts";
import { MAX_WAIT_SECONDS } from "../contract/limits.ts";
import { API_PREFIX, APP_PREFIX } from "../contract/operations.ts";
import type { Service } from "../domain/service.ts";
import { createBodyBudget } from "./gate/body-budgets.ts";
import { problemHeaders, toProblem, toRefusal, withOutcome } from "./gate/errors.ts";
import { createGate } from "./gate/gate.ts";
import { createTroubleFilter, logFailure, logStorageFailure, logVisit, routeFor } from "./gate/logs.ts";
import { createRateLimits } from "./gate/rate-limits.ts";
import { prefixOf, unknownRoute } from "./gate/routes.ts";
import { visitOf } from "./gate/visits.ts";
import type { HttpOptions } from "./options.ts";
import { docsRoutes } from "./pages/docs.ts";
import { createPage } from "./pages/page.ts";
import { problemRoutes } from "./pages/problem-pages.ts";
import { apiRoutes } from "./resources/api.ts";
import { healthRoutes } from "./resources/health.ts";
import { createLargeAnswers } from "./resources/large-answers.ts";
import { sessionRoutes } from "./resources/sessions.ts";

/** A request that waits is not idle: the longest `wait`, and some time to answer. */
export const WAIT_TIMEOUT_SECONDS = MAX_WAIT_SECONDS + 30;

/**
 * The whole HTTP side. The gate meets a request first, in its own order; then its body is read as strict JSON, all of it is
 * held against the schema, and the domain is called. Whatever comes of it, there is one answer and one line in the log.
 */
export function createApp(service: Service, options: HttpOptions) {
  const limits = createRateLimits(service.policy, service.clock);
  const isNewTrouble = createTroubleFilter();
  const app = new Elysia({ normalize: false, strictPath: true });
  const page = options.page && createPage({ ...options, read: options.page });
  const budget = createBodyBudget(options.bodyMemoryBytes);
  options.observer?.watchBodies(budget.taken);
  const server = () => app.server;
  const gate = createGate(service, { ...options, budget, server }, limits);

  /** Writes the line about a request that was answered, and gives back what it had taken. */
  const endVisit = (request: Request, { status }: Response): void => {
    const visit = visitOf(request);
    visit.bodyRoom?.release();
    const { answerRoom, answerSent } = visit;
    if (answerSent) void answerSent.then(() => answerRoom?.release());
    else answerRoom?.release();
    const answered = {
      method: request.method,
      status,
      route: routeFor(visit, app.routes),
      durationMs: performance.now() - visit.startedAt,
    };
    logVisit(options.log, visit, answered);
    options.observer?.onAnswer({
      ...answered,
      code: visit.refusal?.code,
      hasCaller: visit.caller !== undefined,
      isStranger: visit.prefix === APP_PREFIX && visit.refusal?.code === "credential_missing",
      isWait: visit.isWait,
    });
  };

  const apiOptions = {
    ...options,
    largeAnswers: createLargeAnswers(budget, service.policy, server),
    onWait(request: Request) {
      visitOf(request).isWait = true;
      app.server?.timeout(request, WAIT_TIMEOUT_SECONDS);
    },
  };
  return (
    app
      .wrap((answer) => async (request: Request) => {
        // Elysia's type has it that a function is answered.
        const response = await (answer(request) as unknown as Promise<Response>);
        const { over } = visitOf(request);
        if (over) void over.then(() => endVisit(request, response));
        else endVisit(request, response);
        return response;
      })
      // Elysia looks into the text of every hook for what it uses. From one that hands its context on, it takes that cookies,
      // headers and all else are to be parsed for every request.
      .onRequest(({ request, set }) => gate({ request, set }))
      .onError(({ code, error, request, set }) => {
        const visit = visitOf(request);
        const refusal = toRefusal(code, error, () => unknownRoute(app.routes, request.method, visit.path));
        const { status } = ERRORS[refusal.code];
        const { cause } = refusal.options;
        if (refusal.code === "storage_unavailable") {
          if (cause !== undefined && isNewTrouble(cause))
            logStorageFailure(options.log, visit, routeFor(visit, app.routes), cause);
        } else if (status >= 500 && refusal.code !== "server_busy") {
          logFailure(options.log, visit, routeFor(visit, app.routes), cause ?? error);
        }
        set.status = status;
        visit.refusal = refusal;
        Object.assign(set.headers, problemHeaders(refusal));
        const isForPeople = request.headers.get("accept")?.includes("text/html") && !prefixOf(visit.path);
        if (page && isForPeople && refusal.code === "not_found")
          return page.answerNowhere(visit.path, { request, set });
        return JSON.stringify(toProblem(withOutcome(refusal, request.method), visit.requestId, options.baseUrl()));
      })
      .use(apiRoutes(service, apiOptions, API_PREFIX))
      .use(apiRoutes(service, apiOptions, APP_PREFIX))
      .use(sessionRoutes(service, options, limits))
      .use(docsRoutes(service.policy, options))
      .use(page ? page.routes : new Elysia())
      .use(healthRoutes(service.store, options))
      .use(problemRoutes())
  );
}

export type App = ReturnType<typeof createApp>;
