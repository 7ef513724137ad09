import { expect, test } from "bun:test";
import { createHttpClient } from "../../src/client/http-client.ts";
import { getInvitation, listRequests, waitForSubmission } from "../../src/client/requests.ts";
import { exampleId } from "../../src/contract/ids.ts";
import { Invitation, RequestMetadata, RequestSummary } from "../../src/contract/requests.ts";
import { pinOf } from "../../src/crypto/request-links.ts";

const id = exampleId("request");
const exampleOf = ({ examples }: { readonly examples?: unknown }): object => (examples as object[])[0] ?? {};

/** A server that gives every call the same answer at once, and its client. */
function openPair(answer: (query: URLSearchParams) => unknown) {
  const calls: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch({ url }) {
      calls.push(url);
      return Response.json(answer(new URL(url).searchParams));
    },
  });
  const client = createHttpClient({ baseUrl: server.url.origin, credential: undefined });
  return { client, calls, [Symbol.dispose]: () => void server.stop(true) };
}

test("a server that answers waiting calls at once is asked about once a second, until the wait is over", async () => {
  using pair = openPair(() => exampleOf(RequestMetadata));
  let now = 0;
  const clock = { now: () => now, sleep: async (milliseconds: number) => void (now += milliseconds) };
  const steps: number[] = [];
  const onStep = async (seconds: number) => void steps.push(seconds);
  const wait = { seconds: 20, stepSeconds: 60, signal: new AbortController().signal, clock, onStep };
  const request = await waitForSubmission(pair.client, id, wait);
  expect(request.state).toBe("open");
  // The first call doesn't wait.
  expect(pair.calls).toHaveLength(22);
  expect(now).toBe(20_000);
  expect(steps).toEqual(Array.from({ length: 21 }, (_, index) => index));
});

test("waiting ends when a submission can be collected, or the request has ended", async () => {
  const submission = { secret_id: exampleId("secret"), state: "available", created_at: "2026-11-21T09:30:00Z" };
  for (const found of [{ submissions: [submission] }, { state: "revoked" }]) {
    using pair = openPair(() => ({ ...exampleOf(RequestMetadata), ...found }));
    const wait = { seconds: Infinity, stepSeconds: 60, signal: new AbortController().signal };
    expect(await waitForSubmission(pair.client, id, wait)).toMatchObject(found);
    expect(pair.calls).toHaveLength(1);
  }
});

test("a recipient that doesn't match the link is refused", async () => {
  const invitation = exampleOf(Invitation) as Invitation;
  using pair = openPair(() => invitation);
  const link = { baseUrl: pair.client.baseUrl, id, seed: new Uint8Array(16) };
  const pin = await pinOf(invitation.recipient);
  expect(await getInvitation(pair.client, { ...link, pin })).toMatchObject({ recipient: invitation.recipient });
  const other = pin.replace(/^./, (first) => (first === "A" ? "B" : "A"));
  const swapped = await getInvitation(pair.client, { ...link, pin: other }).catch((error: unknown) => error);
  expect(swapped).toMatchObject({ code: "recipient_swapped", kind: "decryption" });
});

test("a list ends at an empty page, whatever its cursor, and never has more rows than asked for", async () => {
  const row = exampleOf(RequestSummary);
  using empty = openPair(() => ({ data: empty.calls.length > 50 ? "enough" : [], next_cursor: id }));
  expect(await listRequests(empty.client, { limit: 10 })).toEqual([]);
  expect(empty.calls).toHaveLength(1);
  using generous = openPair(() => ({ data: Array(100).fill(row), next_cursor: id }));
  expect(await listRequests(generous.client, { limit: 7 })).toHaveLength(7);
  expect(generous.calls).toHaveLength(1);
});
