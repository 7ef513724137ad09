import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  collectable,
  collectAll,
  handoverOfSubmission,
  namingCollect,
  nothingYet,
} from "../../../src/cli/handovers/collections.ts";
import { findKeptRequest, keepRequest } from "../../../src/cli/state/kept-requests.ts";
import { openPendingClaim } from "../../../src/cli/state/pending-claims.ts";
import { unexpected } from "../../../src/client/answers.ts";
import { ClientError } from "../../../src/client/errors.ts";
import { interrupted, timedOut } from "../../../src/client/network-errors.ts";
import { withUnknownOutcome } from "../../../src/client/unknown-outcomes.ts";
import { exampleId } from "../../../src/contract/ids.ts";
import { RequestMetadata } from "../../../src/contract/requests.ts";
import type { Submission } from "../../../src/contract/requests.ts";
import { Secret } from "../../../src/contract/secrets.ts";
import { createAgeIdentity } from "../../../src/crypto/age-identities.ts";
import { encodeContent } from "../../../src/crypto/contents.ts";
import { sealToRecipient } from "../../../src/crypto/envelopes.ts";
import { createTestClient, errorOf, exampleOf, refuse } from "../../support/clients.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { createTestTerminal } from "../../support/terminals.ts";
import type { TestTerminal } from "../../support/terminals.ts";

const BASE_URL = "https://handoff.example";
const REQUEST_ID = exampleId("request");
const IDS = ["0", "1", "2"].map((end) => exampleId("secret").replace(/.$/, end));
const [FIRST = "", SECOND = "", THIRD = ""] = IDS;

let folder: ReturnType<typeof temporaryFolder>;
let terminal: TestTerminal;
beforeEach(() => {
  folder = temporaryFolder();
  terminal = createTestTerminal({ env: { XDG_STATE_HOME: join(folder.path, "state") } });
});
afterEach(() => folder[Symbol.dispose]());

const submissionOf = (id: string, state: Submission["state"] = "available"): Submission => ({
  secret_id: id,
  state,
  created_at: "2026-11-21T09:30:00.000Z",
});
const requestOf = (submissions: readonly Submission[], changes: Partial<RequestMetadata> = {}) =>
  exampleOf(RequestMetadata, {
    id: REQUEST_ID,
    state: "fulfilled",
    max_submissions: 3,
    submission_count: submissions.length,
    submissions: [...submissions],
    ...changes,
  });

/** A request that was made here, and a server on which these texts were handed in for it; null is for somebody else. */
async function handedIn(texts: readonly (string | null)[]) {
  const [ours, others] = await Promise.all([createAgeIdentity("x25519"), createAgeIdentity("x25519")]);
  const envelopes = await Promise.all(
    texts.map(async (text) => {
      const bytes = await encodeContent({ kind: "text", text: text ?? "" });
      return sealToRecipient(bytes, text === null ? others.recipient : ours.recipient);
    }),
  );
  const kept = { id: REQUEST_ID, baseUrl: BASE_URL, ageIdentity: ours.ageIdentity, note: null };
  keepRequest(terminal, kept);
  const client = createTestClient({
    claimSecret: ({ id = "" }) => ({
      secret: exampleOf(Secret, { id, state: "claimed" }),
      envelope: envelopes[IDS.indexOf(id)],
      replay_until: new Date(Date.now() + 60_000).toISOString(),
    }),
    acknowledgeClaim: () => undefined,
  });
  return { kept, client };
}

const read = (...names: readonly string[]) => readFileSync(join(folder.path, ...names), "utf8");
const isKept = () => findKeptRequest(terminal, REQUEST_ID, BASE_URL) !== undefined;

test("what nobody has claimed can be collected, and what was begun here and came to no end", () => {
  openPendingClaim(terminal, BASE_URL, SECOND);
  const request = requestOf([submissionOf(FIRST), submissionOf(SECOND, "claimed"), submissionOf(THIRD, "claimed")]);
  expect(collectable(terminal, BASE_URL, request)).toEqual([FIRST, SECOND]);
  expect(collectable(terminal, "https://other.example", request)).toEqual([FIRST]);
});

test("each of several secrets goes into a folder of its own, and the key is forgotten once all are collected", async () => {
  const { kept, client } = await handedIn(["one", "two"]);
  const submissions = [submissionOf(FIRST), submissionOf(SECOND)];
  const flags = { output: folder.path, json: true };
  await collectAll(terminal, client, kept, requestOf(submissions, { state: "open" }), flags);
  expect([read(FIRST, "secret.txt"), read(SECOND, "secret.txt"), isKept()]).toEqual(["one", "two", true]);
  expect(client.called().filter((operation) => operation === "acknowledgeClaim")).toHaveLength(2);
  const whole = requestOf(submissions, { max_submissions: 2 });
  const collected = await collectAll(terminal, client, kept, whole, flags);
  expect(collected).toEqual({ count: 2, failure: undefined });
  expect(isKept()).toBeFalse();
});

test("the one secret of a request is delivered as it is", async () => {
  const { kept, client } = await handedIn(["only"]);
  const request = requestOf([submissionOf(FIRST)], { max_submissions: 1 });
  await collectAll(terminal, client, kept, request, { output: join(folder.path, "file") });
  expect(read("file")).toBe("only");
});

test("what cannot be opened keeps nobody from the others, and is told in the end", async () => {
  const { kept, client } = await handedIn([null, "two"]);
  const request = requestOf([submissionOf(FIRST), submissionOf(SECOND)]);
  const { count, failure } = await collectAll(terminal, client, kept, request, { output: folder.path });
  expect({ count, failure }).toMatchObject({ count: 2, failure: { kind: "decryption" } });
  expect(read(SECOND, "secret.txt")).toBe("two");
  expect(readdirSync(folder.path).toSorted()).toEqual([SECOND, "state"].toSorted());
  // A server could answer with anything in its place.
  expect(isKept()).toBeTrue();
});

test("what was handed in for another request isn't claimed", async () => {
  const { kept } = await handedIn([]);
  const request_id = REQUEST_ID.replace(/.$/, "0");
  const other = createTestClient({ getSecret: ({ id = "" }) => exampleOf(Secret, { id, request_id }) }, BASE_URL);
  const request = requestOf([submissionOf(FIRST)], { max_submissions: 1 });
  const collecting = collectAll(terminal, other, kept, request, { output: join(folder.path, "file") });
  expect(await errorOf(collecting)).toMatchObject({ message: expect.stringContaining("It wasn't opened.") });
  expect(other.called()).toEqual(["getSecret"]);
  expect(isKept()).toBeTrue();
});

test("a failure that the next secret would have too ends the collecting at once", async () => {
  const { kept } = await handedIn([]);
  const client = createTestClient({ claimSecret: () => refuse("connection_failed", "network") }, BASE_URL);
  const request = requestOf([submissionOf(FIRST), submissionOf(SECOND)]);
  const collecting = collectAll(terminal, client, kept, request, { output: folder.path });
  expect(await errorOf(collecting)).toMatchObject({ code: "connection_failed" });
  expect(client.called()).toEqual(["getSecret", "claimSecret"]);
  expect(isKept()).toBeTrue();
});

test("whether something was handed in before is said by who asks again", () => {
  expect(nothingYet(requestOf([]), "Wait.").message).toBe("Nothing has been handed in yet. Wait.");
  const [opened] = [submissionOf(FIRST, "claimed")];
  expect(nothingYet(requestOf(opened ? [opened] : []), "Wait.").message).toBe(
    "Nothing new has been handed in yet. Wait.",
  );
});

test("what was handed in is opened with the key of its request alone", async () => {
  const { kept, client } = await handedIn(["x"]);
  expect(handoverOfSubmission(client, kept, FIRST, "exact")).toEqual({
    client,
    id: FIRST,
    key: { kind: "ageIdentities", ageIdentities: [kept.ageIdentity] },
    passphrase: undefined,
    isSubmission: true,
    requestId: REQUEST_ID,
    nameStyle: "exact",
  });
});

test("a wait that a gateway, an outage or a proxy ends names the command that goes on, and no other does", async () => {
  const go = `handoff collect ${REQUEST_ID} --wait`;
  const cases = [
    [timedOut(), `The server didn't answer in time. Try again. Go on with: ${go}`],
    [unexpected("No."), `No. Check the server URL. Go on with: ${go}`],
    [
      withUnknownOutcome(unexpected("No."), "claimSecret"),
      `It's not known whether the secret was handed out. Go on with: ${go}`,
    ],
    [interrupted(), "Interrupted."],
    [new ClientError("credential_invalid", "credential", "The key."), "The key."],
    [new ClientError("request_revoked", "gone", "Gone."), "Gone."],
  ] as const;
  for (const [thrown, says] of cases) {
    const error = await namingCollect(REQUEST_ID, () => Promise.reject(thrown)).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: thrown.code, kind: thrown.kind, message: expect.stringContaining(says) });
  }
});
