import type { Break } from "./break.ts";

/** Breaks of what every call meets: the order of the checks, headers, limits and repetitions. */
export const GATE_BREAKS: readonly Break[] = [
  {
    what: "answers for some origins do not say that others get another one",
    file: "src/http/gate/cors.ts",
    find: 'const VARY = { vary: "Origin" };',
    replace: "const VARY = {};",
    tests: ["test/http/gate/gate.test.ts"],
  },
  {
    what: "calls without the scope cost nothing of the rate limit",
    file: "src/http/gate/gate.ts",
    find: "    limits.countCall(caller.credentialId, set.headers);\n    authorize(caller, operation, visit.id);\n",
    replace: "    authorize(caller, operation, visit.id);\n    limits.countCall(caller.credentialId, set.headers);\n",
    tests: ["test/http/gate/order.test.ts"],
  },
  {
    what: "the media type is looked at before the scope",
    file: "src/http/gate/gate.ts",
    find: "    authorize(caller, operation, visit.id);\n    checkBodyHeaders(request.headers, operation, maxBytes);\n",
    replace:
      "    checkBodyHeaders(request.headers, operation, maxBytes);\n    authorize(caller, operation, visit.id);\n",
    tests: ["test/http/gate/order.test.ts"],
  },
  {
    what: "a credential in the query is refused before the path is looked at",
    file: "src/http/gate/gate.ts",
    find: "    const { operation, id } = matchRoute(method, visit.path, prefix);\n",
    replace:
      '    if (found) throw new Refusal("credential_in_query");\n    const { operation, id } = matchRoute(method, visit.path, prefix);\n',
    tests: ["test/http/gate/order.test.ts"],
  },
  {
    what: "over TLS browsers are not told to stay with it",
    file: "src/http/gate/gate.ts",
    find: '  if (isTls) headers["strict-transport-security"] = `max-age=${TWO_YEARS_SECONDS}`;\n',
    replace: "",
    tests: ["test/http/gate/gate.test.ts"],
  },
  {
    what: "waits are cut off when Bun takes the connection for idle",
    file: "src/http/resources/api.ts",
    find: '    if ("wait" in query) options.onWait(request);\n',
    replace: "",
    tests: ["test/e2e/minutes/idle-connections.test.ts"],
  },
  {
    what: "a failure of the server does not say when to try again",
    file: "src/http/gate/errors.ts",
    find: " ?? (ERRORS[code].status >= 500 ? STORAGE_RETRY_SECONDS : undefined)",
    replace: "",
    tests: ["test/http/leaks.test.ts"],
  },
  {
    what: "two calls of different parts can have one SHA-256",
    file: "src/domain/tokens.ts",
    find: "for (const part of parts) hasher.update(`${part.length}:`).update(part);",
    replace: "for (const part of parts) hasher.update(part);",
    tests: ["test/domain/tokens.test.ts"],
  },
  {
    what: "two credentials with their idempotency keys can have one token",
    file: "src/domain/tokens.ts",
    find: "`${credential.length}:${credential}${idempotencyKey}`",
    replace: "`${credential}${idempotencyKey}`",
    tests: ["test/domain/tokens.test.ts"],
  },
  {
    what: "RateLimit leaves the burst out",
    file: "src/http/gate/token-buckets.ts",
    find: "left: isAllowed ? left - 1 : 0,",
    replace: "left: isAllowed ? Math.min(left - 1, Math.ceil(perSecond)) : 0,",
    tests: ["test/http/limits.test.ts"],
  },
  {
    what: "RateLimit is missing where a call is refused for its rate",
    file: "src/http/gate/rate-limits.ts",
    find: '  of.headers["ratelimit-policy"] = of.terms;\n  of.headers["ratelimit"] = `"${of.name}";r=${left};t=${seconds(fullMs)}`;\n  if (!isAllowed) throw',
    replace:
      '  if (isAllowed) of.headers["ratelimit-policy"] = of.terms;\n  if (isAllowed) of.headers["ratelimit"] = `"${of.name}";r=${left};t=${seconds(fullMs)}`;\n  if (!isAllowed) throw',
    tests: ["test/http/limits.test.ts"],
  },
  {
    what: "a credential may take the memory for bodies of everybody",
    file: "src/http/gate/body-budgets.ts",
    find: " || (shares.get(holder) ?? 0) + more > share)",
    replace: ")",
    tests: ["test/http/gate/bodies.test.ts"],
  },
  {
    what: "the budget of memory for bodies is never given back",
    file: "src/http/app.ts",
    find: "    visit.bodyRoom?.release();\n",
    replace: "",
    tests: ["test/http/gate/bodies.test.ts"],
  },
  {
    what: "an answer that was given before does not say so",
    file: "src/http/resources/secrets.ts",
    find: "      markReplay(headers, claimed);\n",
    replace: "",
    tests: ["test/http/gate/repetitions.test.ts"],
  },
  {
    what: "a repeated creation is checked against today's policy",
    file: "src/domain/secrets.ts",
    find: "const known = call && (await deps.store.replayCreation(caller.teamId, call));",
    replace:
      "const known = call && call.digest.length === 0 ? await deps.store.replayCreation(caller.teamId, call) : undefined;",
    tests: ["test/http/gate/repetitions.test.ts"],
  },
  {
    what: "an answer has a member that its schema has not",
    file: "src/http/resources/secrets.ts",
    find: "    id: secret.id,\n",
    replace: "    id: secret.id,\n    ...{ team_id: secret.teamId },\n",
    tests: ["test/http/gate/repetitions.test.ts"],
  },
  {
    what: "the log does not tell which key it was that counts no more, beyond the limit of failures",
    file: "src/http/gate/gate.ts",
    find: "    visit.keyId = error.options.keyId;\n",
    replace: "",
    tests: ["test/http/gate/gate.test.ts"],
  },
  {
    what: "the log does not tell what a call was refused with",
    file: "src/http/gate/logs.ts",
    find: "      code: refusal?.code,\n",
    replace: "",
    tests: ["test/http/gate/gate.test.ts"],
  },
  {
    what: "the log has the path of what is outside the API in place of its route",
    file: "src/http/gate/routes.ts",
    find: 'fitsPublic(route.path, path))?.path.replace(/:(\\w+)/g, "{$1}");',
    replace: "fitsPublic(route.path, path)) && path;",
    tests: ["test/http/gate/gate.test.ts"],
  },
  {
    what: "a name that begins with 127. counts as loopback",
    file: "src/cli/server/start-warnings.ts",
    find: "/^127(\\.\\d{1,3}){3}$/",
    replace: "/^127\\./",
    tests: ["test/cli/server/start-warnings.test.ts"],
  },
];
