import { expect, test } from "bun:test";
import { ClientError } from "../../src/client/errors.ts";
import { createHttpClient } from "../../src/client/http-client.ts";
import { timedOut, toNetworkError } from "../../src/client/network-errors.ts";
import { waitForSubmission } from "../../src/client/requests.ts";
import { waitFor } from "../../src/client/waits.ts";
import type { Wait } from "../../src/client/waits.ts";
import { exampleId } from "../../src/contract/ids.ts";

const refused = () => toNetworkError(Object.assign(new Error(), { code: "ECONNREFUSED" }), "http://127.0.0.1");
const revokedKey = () => new ClientError("credential_invalid", "credential", "The API key isn't valid.");

/** A clock that only sleeps and calls move, a wait measured by it, and the callbacks of the wait. */
function openWait(outcomes: readonly (() => string)[], options: Partial<Wait> = {}) {
  let now = 0;
  const lost: number[] = [];
  const steps: number[] = [];
  const look = async (step: number) => {
    steps.push(step);
    now += 1000;
    return (outcomes[Math.min(steps.length, outcomes.length) - 1] ?? refused)();
  };
  const wait: Wait = {
    seconds: Infinity,
    stepSeconds: 50,
    signal: new AbortController().signal,
    clock: { now: () => now, sleep: async (milliseconds) => void (now += milliseconds) },
    onLost: (_, failures) => void lost.push(failures),
    ...options,
  };
  return { lost, steps, now: () => now, run: () => waitFor(look, (answer) => answer === "over", wait) };
}

const lose = (error: () => ClientError) => () => {
  throw error();
};
const waiting = () => "waiting";

test("a wait goes on through an outage of any length, and counts the failures of each", async () => {
  const outage = Array.from({ length: 40 }, (_, index) => lose(index % 2 === 0 ? refused : timedOut));
  const wait = openWait([waiting, ...outage, waiting, lose(refused), () => "over"]);
  expect(await wait.run()).toBe("over");
  expect(wait.lost).toEqual([...outage.keys().map((index) => index + 1), 1]);
});

test("an outage that outlasts the wait ends it with the error", async () => {
  const wait = openWait([waiting, lose(refused)], { seconds: 600 });
  expect(await wait.run().catch((error: unknown) => error)).toMatchObject({ code: "connection_failed" });
  expect(wait.now()).toBeWithin(600_000, 603_000);
});

test("a server that never answered is given up at once, unless it has answered before the wait", async () => {
  const never = openWait([lose(refused), () => "over"]);
  expect(await never.run().catch((error: unknown) => error)).toMatchObject({ code: "connection_failed" });
  const underWay = openWait([lose(refused), () => "over"], { isUnderWay: true });
  expect(await underWay.run()).toBe("over");
});

test("a failure that doesn't pass ends the wait at once", async () => {
  const wait = openWait([waiting, lose(revokedKey)]);
  expect(await wait.run().catch((error: unknown) => error)).toMatchObject({ code: "credential_invalid" });
  expect(wait.steps).toEqual([0, 50]);
});

test("neither a server that never answers nor its Retry-After prolongs a wait", async () => {
  let answers = 0;
  const id = exampleId("request");
  const cases: readonly [respond: () => Response | Promise<Response>, code: string][] = [
    [() => new Promise<Response>(() => undefined), "timed_out"],
    [
      () => Response.json({ code: "storage_unavailable" }, { status: 503, headers: { "retry-after": "30" } }),
      "storage_unavailable",
    ],
  ];
  for (const [respond, code] of cases) {
    using server = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 0, fetch: () => (answers++, respond()) });
    const client = createHttpClient({ baseUrl: server.url.origin, credential: undefined });
    const start = performance.now();
    const wait = { seconds: 0.2, stepSeconds: 50, signal: new AbortController().signal };
    const error = await waitForSubmission(client, id, wait).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code, kind: "network" });
    expect(performance.now() - start).toBeWithin(2000, 5000);
  }
  expect(answers).toBe(2);
});
