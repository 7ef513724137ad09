import { expect, spyOn, test } from "bun:test";
import { signIn, signOut } from "../../../src/client/page/sessions.ts";
import { errorOf } from "../../support/clients.ts";
import { answerFetches } from "../../support/fetches.ts";

/** A fetch from a server that never answers. */
const silence = (_: URL, { signal }: RequestInit) =>
  new Promise<Response>((_resolve, reject) => {
    if (!signal) reject(new Error("nothing ends this call"));
    signal?.addEventListener("abort", () => reject(signal.reason));
  });

for (const [name, call] of [
  ["signing in", () => signIn("https://handoff.example", { token: "token", idempotencyKey: "key" })],
  ["signing out", () => signOut("https://handoff.example")],
] as const) {
  test(`${name} times out when the server never answers`, async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    using limits = spyOn(AbortSignal, "timeout").mockImplementation(() => timeout(5));
    using fetches = answerFetches(silence);
    expect(await errorOf(call())).toMatchObject({ name: "TimeoutError" });
    expect(limits).toHaveBeenCalledWith(30_000);
    expect(fetches.asked).toEqual(["https://handoff.example/app/session"]);
  });
}
