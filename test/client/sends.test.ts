import { expect, test } from "bun:test";
import { askForSecret } from "../../src/client/asks.ts";
import { ClientError } from "../../src/client/errors.ts";
import { listEvents } from "../../src/client/events.ts";
import { openEnvelope } from "../../src/client/opened-secrets.ts";
import { revokeSecret } from "../../src/client/secrets.ts";
import { sendSecret } from "../../src/client/sends.ts";
import { openNote, submitSecret } from "../../src/client/submissions.ts";
import { Credential } from "../../src/contract/credentials.ts";
import type { Envelope } from "../../src/contract/envelopes.ts";
import { Event } from "../../src/contract/events.ts";
import { exampleId } from "../../src/contract/ids.ts";
import { RequestMetadata } from "../../src/contract/requests.ts";
import { Secret } from "../../src/contract/secrets.ts";
import { createAgeIdentity } from "../../src/crypto/age-identities.ts";
import { deriveRequestKeys, parseRequestLink } from "../../src/crypto/request-links.ts";
import { deriveSecretLinkKeys, parseSecretLink } from "../../src/crypto/secret-links.ts";
import { createTestClient, errorOf, exampleOf, refuse, takenTerms } from "../support/clients.ts";
import type { TestAnswers } from "../support/clients.ts";

const [ID, REQUEST_ID] = [exampleId("secret"), exampleId("request")];
const CONTENT = { kind: "text", text: "hunter2" } as const;
const NONE = { passphrase: undefined, ttlSeconds: undefined, maxClaims: undefined };
const credential = exampleOf(Credential);
const limitedTo = (limits: Partial<typeof credential.limits>) => ({
  getCredential: () => ({ ...credential, limits: { ...credential.limits, ...limits } }),
});
const answers: TestAnswers = {
  getCredential: () => credential,
  createSecret: () => exampleOf(Secret, { id: ID }),
  createRequest: (call) => {
    const request = exampleOf(RequestMetadata, { id: REQUEST_ID });
    return { ...request, ...takenTerms(call, request.created_at) };
  },
  submitSecret: () => ({ secret_id: ID, state: "available" }),
};
const bodyOf = (call: { readonly body?: unknown } | undefined) => call?.body as { readonly envelope: Envelope };

test("only the link opens a secret, and the server gets neither content nor key", async () => {
  const client = createTestClient(answers);
  const { link } = await sendSecret(client, { ...NONE, content: CONTENT });
  const { id, seed, needsPassphrase } = parseSecretLink(link);
  expect({ id, needsPassphrase }).toEqual({ id: ID, needsPassphrase: false });
  const { agePassphrase, claimTokenHash } = await deriveSecretLinkKeys(seed);
  const call = client.calls.find(({ operation }) => operation === "createSecret");
  expect(call?.query).toMatchObject({ claim_token_hash: claimTokenHash });
  expect(await openEnvelope(bodyOf(call).envelope, { kind: "link", agePassphrase, passphrase: undefined })).toEqual(
    CONTENT,
  );
  const sent = JSON.stringify(client.calls);
  for (const part of [agePassphrase, link.split("#")[1] ?? "", "hunter2"]) expect(sent).not.toContain(part);
  // Links are unique.
  expect((await sendSecret(client, { ...NONE, content: CONTENT })).link).not.toBe(link);
});

test("what the server would refuse isn't sent", async () => {
  const refused = async (limits: Partial<typeof credential.limits>, options: object) => {
    const client = createTestClient({ ...answers, ...limitedTo(limits) });
    const error = await errorOf(sendSecret(client, { ...NONE, content: CONTENT, ...options }));
    expect(client.called()).toEqual(["getCredential"]);
    return error;
  };
  expect(await refused({ max_expires_in: 3600 }, { ttlSeconds: 3601 })).toMatchObject({
    kind: "usage",
    message: "The lifetime must be 1 minute to 1 hour.",
  });
  expect(await refused({ max_claims: 3 }, { maxClaims: 4 })).toMatchObject({ kind: "usage" });
  const large = { content: { kind: "binary", bytes: new Uint8Array(2000) } };
  // First the content exceeds the limit, then only its ciphertext.
  for (const most of [1000, 2700]) {
    expect(await refused({ max_ciphertext_bytes: most }, large)).toMatchObject({ code: "payload_too_large" });
  }
});

test("people are chosen only where the server can have their addresses proven", async () => {
  const addressees = ["ann@example.com", "*@example.org"];
  const keep = () => ({ assign: () => undefined, drop: () => undefined });
  const asking = { note: undefined, ttlSeconds: undefined, maxSubmissions: undefined, identityKind: "x25519" } as const;
  const calls = (client: ReturnType<typeof createTestClient>, chosen: readonly string[]) => [
    sendSecret(client, { ...NONE, content: CONTENT, addressees: chosen }),
    askForSecret(client, { ...asking, addressees: chosen }, keep),
  ];
  const taking = createTestClient({
    ...answers,
    createSecret: (call) => ({ ...exampleOf(Secret, { id: ID }), ...takenTerms(call, "") }),
  });
  await Promise.all(calls(taking, addressees));
  const queries = taking.calls.filter(({ query }) => query).map(({ query }) => query?.["for"]);
  expect(queries).toEqual(["ann@example.com,*@example.org", "ann@example.com,*@example.org"]);
  for (const [proves, chosen, message] of [
    [false, addressees, "This server can't have an address proven: "],
    // A server of before there was such a thing.
    [null, addressees, "This server can't have an address proven: "],
    [true, ["ann"], "It can be for addresses, "],
    [true, ["a,b@example.com"], "It can be for addresses, "],
    [true, [], "It can be for 1 to 20 addresses."],
  ] as const) {
    const client = createTestClient({ ...answers, ...limitedTo({ proves_addresses: proves }) });
    const refusal = { kind: "usage", message: expect.stringContaining(message) };
    expect(await Promise.all(calls(client, chosen).map(errorOf))).toMatchObject([refusal, refusal]);
    expect(client.called()).toEqual(["getCredential", "getCredential"]);
  }
});

test("only the recipient can open a submission, and one that is too large isn't sent", async () => {
  const { ageIdentity, recipient } = await createAgeIdentity("x25519");
  const client = createTestClient(answers);
  await submitSecret(client, { requestId: REQUEST_ID, recipient, content: CONTENT });
  const call = client.calls.at(-1);
  expect(call).toMatchObject({ operation: "submitSecret", id: REQUEST_ID, idempotencyKey: expect.any(String) });
  expect(await openEnvelope(bodyOf(call).envelope, { kind: "ageIdentities", ageIdentities: [ageIdentity] })).toEqual(
    CONTENT,
  );
  const narrow = createTestClient({ ...answers, ...limitedTo({ max_ciphertext_bytes: 10 }) });
  const error = await errorOf(submitSecret(narrow, { requestId: REQUEST_ID, recipient, content: CONTENT }));
  expect(error).toMatchObject({ code: "payload_too_large" });
  expect(narrow.called()).toEqual(["getCredential"]);
});

test("a request is made after its private key is stored, and its link opens the note", async () => {
  const steps: string[] = [];
  const keep = () => ({ assign: (id: string) => void steps.push(id), drop: () => void steps.push("dropped") });
  const options = { note: "The password", ttlSeconds: 60, maxSubmissions: 2, identityKind: "x25519" } as const;
  const client = createTestClient(answers);
  const { link, ageIdentity } = await askForSecret(client, options, (kept) => {
    expect(client.called()).toEqual(["getCredential"]);
    steps.push(kept);
    return keep();
  });
  expect(steps).toEqual([ageIdentity, REQUEST_ID]);
  const call = client.calls.at(-1);
  if (!call) throw new Error("nothing was called");
  const { recipient, note } = call.body as { readonly recipient: string; readonly note: Envelope };
  const { notePassphrase, submitTokenHash } = await deriveRequestKeys(parseRequestLink(link).seed);
  expect(call.query).toEqual({ expires_in: 60, max_submissions: 2, submit_token_hash: submitTokenHash });
  expect(recipient).toStartWith("age1");
  expect(await openNote(note, notePassphrase)).toBe("The password");
  expect(await errorOf(openNote(note, `${notePassphrase}x`))).toMatchObject({ code: "decryption_failed" });
  for (const part of [ageIdentity, "The password", link.split("#")[1] ?? ""]) {
    expect(JSON.stringify(client.calls)).not.toContain(part);
  }
  steps.length = 0;
  const refusing = createTestClient({ ...answers, createRequest: () => refuse("team_quota_exceeded") });
  expect(await errorOf(askForSecret(refusing, options, keep))).toMatchObject({ code: "team_quota_exceeded" });
  expect(steps).toEqual(["dropped"]);
});

test("the error for a late revocation says how the secret ended", async () => {
  for (const [code, says] of [
    ["secret_claimed", "Can't revoke: it has been opened."],
    ["secret_expired", "Can't revoke: it has expired."],
    ["not_found", "not_found."],
  ] as const) {
    const client = createTestClient({ revokeSecret: () => refuse(code, "gone") });
    expect(await errorOf(revokeSecret(client, ID))).toMatchObject({ code, kind: "gone", message: says });
  }
});

test("an answer that a secret is in another state is no revocation", async () => {
  for (const state of ["available", "claimed", "expired"] as const) {
    const client = createTestClient({ revokeSecret: () => exampleOf(Secret, { id: ID, state }) });
    const error = await errorOf(revokeSecret(client, ID));
    expect({ state, error }).toMatchObject({
      state,
      error: { code: "unexpected_answer", unknownOutcomeOf: "revokeSecret" },
    });
  }
});

test("any other failure of a revocation is reported unchanged", async () => {
  const explanation = { meaning: "The server is busy.", advice: "Try again in a minute." };
  const failure = new ClientError("server_busy", "network", explanation, { cause: new Error("the cause") });
  const client = createTestClient({
    revokeSecret() {
      throw failure;
    },
  });
  expect(await errorOf(revokeSecret(client, ID))).toBe(failure);
});

test("listing events returns the place to go on from", async () => {
  const event = exampleOf(Event);
  const page = { data: [event, { ...event, type: "door.opened", extra: 1 }], next_cursor: exampleId("event") };
  const client = createTestClient({ listEvents: () => page });
  const events = [event, { ...event, type: "door.opened" }];
  expect(await listEvents(client, "now", 50)).toEqual({ events, next: exampleId("event") });
  expect(client.calls).toMatchObject([{ query: { after: "now" }, waitSeconds: 50 }]);
  const none = createTestClient({ listEvents: () => ({ data: [], next_cursor: null }) });
  expect(await listEvents(none)).toEqual({ events: [], next: undefined });
  expect(none.calls[0]).not.toHaveProperty("waitSeconds");
  const odd = createTestClient({ listEvents: () => ({ data: [], next_cursor: "hunter2" }) });
  expect(await errorOf(listEvents(odd))).toMatchObject({ code: "unexpected_answer" });
});
