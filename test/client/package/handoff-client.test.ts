import { afterAll, expect, test } from "bun:test";
import {
  collect,
  CredentialError,
  DecryptionError,
  events,
  GoneError,
  HandoffError,
  InterruptedError,
  NetworkError,
  open,
  request,
  revoke,
  send,
  status,
  submit,
  UsageError,
} from "../../../src/client/package/handoff-client.ts";
import { exampleId } from "../../../src/contract/ids.ts";
import { createAgeIdentity } from "../../../src/crypto/age-identities.ts";
import { deriveRequestKeys, parseRequestLink } from "../../../src/crypto/request-links.ts";
import { errorOf } from "../../support/clients.ts";
import { sendLocked } from "../../support/foreign-secrets.ts";
import { startTestServer } from "../../support/server.ts";

const server = await startTestServer({ policy: { sendsMails: true } });
afterAll(() => server[Symbol.asyncDispose]());
const accessFor = async (scopes?: Parameters<typeof server.backend.mint>[0]) => ({
  server: server.url,
  apiKey: (await server.backend.mint(scopes)).token,
});
const access = await accessFor();
const bytes = new Uint8Array([0, 255, 1]);

/** A link that needs the passphrase "correct horse battery", sealed as fast as can be. */
const lockedLink = () =>
  sendLocked({ server, mint: async () => access.apiKey }, { kind: "text", text: "hunter2" }, "correct horse battery");

type Proceed = () => Promise<Response>;

/** A `fetch` that records its calls, and answers them with `answer`, which may proceed to the server. */
function recordingFetch(answer: (path: string, proceed: Proceed) => Promise<Response> = (_, proceed) => proceed()) {
  const calls: string[] = [];
  const record = (url: string, init?: RequestInit) => {
    const path = new URL(url).pathname.replace(/_[0-9a-v]{26}/, "");
    calls.push(`${init?.method ?? "GET"} ${path}`);
    return answer(path, () => fetch(url, init));
  };
  return { calls, fetch: record };
}

const CLAIM = "POST /api/v1/secrets/sec/claim";

test("text, bytes and files arrive as they were sent, once", async () => {
  for (const [content, text, names] of [
    ["hunter2", "hunter2", []],
    [bytes, undefined, ["secret.bin"]],
    [{ files: [{ name: "a/key", bytes, isExecutable: true }] }, undefined, ["a/key"]],
    [{ text: "see there", files: [{ name: ".env", bytes }] }, "see there", ["_.env"]],
    [{ text: "alone", files: [] }, "alone", []],
  ] as const) {
    const { link, secret } = await send(content, { ...access, expiresIn: 3600, reference: "OPS-4711" });
    expect(secret).toMatchObject({ state: "available", max_claims: 1, reference: "OPS-4711" });
    expect(await status(link)).toMatchObject({ kind: "secret", secret: { id: secret.id, state: "available" } });
    const opened = await open(link);
    expect(opened.text).toBe(text);
    expect(opened.files.map(({ name }) => name)).toEqual([...names]);
    for (const file of opened.files) expect(file).toMatchObject({ bytes, isExecutable: false, isFolder: false });
    await opened.acknowledge();
    expect(await errorOf(open(link))).toBeInstanceOf(GoneError);
    expect(await status(secret.id, access)).toMatchObject({ kind: "secret", secret: { state: "claimed", claims: 1 } });
  }
});

test("secrets and requests for chosen people say so, and take nobody without a proof", async () => {
  const forAnn = { ...access, for: ["ann@example.com"] };
  const { link, secret } = await send("hunter2", forAnn);
  expect(secret.for).toEqual(["ann@example.com"]);
  expect(await status(link)).toMatchObject({ secret: { for: ["a…@example.com"] } });
  const asked = await request(forAnn);
  expect(asked.request.for).toEqual(["ann@example.com"]);
  expect(await status(asked.link)).toMatchObject({ kind: "invitation", for: ["a…@example.com"] });
  for (const call of [() => open(link), () => submit(asked.link, "hunter2")]) {
    const error = await errorOf(call());
    expect(error).toBeInstanceOf(HandoffError);
    expect(error).toMatchObject({ code: "proof_required", outcome: undefined });
  }
  expect(await status(secret.id, access)).toMatchObject({ secret: { state: "available", claims: 0 } });
  for (const wrong of ["ann@example.com", {}, [1], [], ["ann"]]) {
    const options = { ...access, for: wrong as never };
    // One after the other: nobody would catch what the second is rejected with meanwhile.
    for (const call of [() => send("hunter2", options), () => request(options)]) {
      expect(await errorOf(call())).toBeInstanceOf(UsageError);
    }
  }
});

/** Decides about the only ask that waits for the sender. */
async function decide(state: "approved" | "refused", words: readonly string[]): Promise<void> {
  const token = access.apiKey;
  const { json } = await server.call("GET", "/api/v1/asks", { token });
  const [{ id, secret_id: secretId, words: seen }] = json.data;
  expect(seen).toEqual(words);
  await server.call("PATCH", `/api/v1/secrets/${secretId}/asks`, { token, body: { id, state } });
}

test("what needs an approval is opened once it's given, and the words are said before", async () => {
  const { link, secret } = await send("hunter2", { ...access, approval: "sender", maxClaims: 2 });
  expect(secret.approval).toBe("sender");
  const missing = await errorOf(open(link));
  expect(missing).toMatchObject({ code: "approval_required", outcome: undefined, advice: "Set onWords." });
  const said: (readonly string[])[] = [];
  const idempotencyKey = crypto.randomUUID();
  const onWords = (words: readonly string[]) => {
    said.push(words);
    void decide("approved", words);
  };
  expect((await open(link, { onWords, idempotencyKey })).text).toBe("hunter2");
  expect(said).toHaveLength(1);
  // The claim is repeated, and asks nobody.
  expect((await open(link, { idempotencyKey })).text).toBe("hunter2");
  const refused = await errorOf(open(link, { onWords: (words) => void decide("refused", words) }));
  expect(refused).toBeInstanceOf(HandoffError);
  expect(refused).toMatchObject({ code: "approval_refused", outcome: undefined });
  const ignored = await errorOf(open(link, { onWords: () => undefined, waitSeconds: 0 }));
  expect(ignored).toMatchObject({
    code: "approval_required",
    message: expect.stringContaining("Nobody has decided"),
  });
  // One network asks three times for a secret.
  const another = await send("hunter2", { ...access, approval: "sender" });
  const controller = new AbortController();
  const stopping = { onWords: () => controller.abort(), signal: controller.signal };
  const aborted = await errorOf(open(another.link, stopping));
  // Nothing has been claimed.
  expect(aborted).toMatchObject({ code: "interrupted", outcome: undefined });
  const thrown = new Error("not shown");
  const failing = () => {
    throw thrown;
  };
  expect(await errorOf(open(another.link, { onWords: failing }))).toBe(thrown);
  expect(await status(another.secret.id, access)).toMatchObject({ secret: { state: "available", claims: 0 } });
  expect(await status(secret.id, access)).toMatchObject({ secret: { state: "available", claims: 1 } });
  expect(await errorOf(send("hunter2", { ...access, approval: "me" as never }))).toBeInstanceOf(UsageError);
  const types: string[] = [];
  for await (const { type, secret_id: id, ask } of events({ ...access, follow: false })) {
    if (id !== secret.id) continue;
    types.push(type);
    expect(ask === null).toBe(type === "secret.created");
  }
  expect(types.slice(0, 4)).toEqual(["secret.created", "secret.approval_asked", "secret.approved", "secret.claimed"]);
});

test("names and executable bits stay as they are where they are asked for", async () => {
  const { link } = await send({ files: [{ name: ".env", bytes, isExecutable: true }] }, access);
  const { files } = await open(link, { exactNames: true });
  expect(files).toEqual([{ name: ".env", bytes, isExecutable: true, isFolder: false }]);
});

test("content that no client would write isn't sent", async () => {
  const { calls, fetch } = recordingFetch();
  const refused = async (content: Parameters<typeof send>[0], options = {}) =>
    expect(await errorOf(send(content, { ...access, fetch, ...options }))).toBeInstanceOf(UsageError);
  for (const name of ["", "../key", "/etc/key", "a/../../key"]) await refused({ files: [{ name, bytes }] });
  await refused({ files: [] });
  await refused("\n");
  await refused("hunter2", { passphrase: "" });
  await refused({ files: Array.from({ length: 10_001 }, (_, n) => ({ name: `${n}`, bytes })) });
  expect(calls).toEqual([]);
});

test("a passphrase is asked for before the claim, and again after a wrong one, without another claim", async () => {
  const link = await lockedLink();
  const { calls, fetch } = recordingFetch();
  const missing = await errorOf(open(link, { fetch }));
  expect(missing).toBeInstanceOf(UsageError);
  expect({ missing, calls }).toMatchObject({ missing: { code: "passphrase_missing" }, calls: [] });

  const asked: number[] = [];
  const answers = ["wrong", undefined, "wrong", "correct horse battery"];
  const passphrase = (attempt: number) => {
    asked.push(attempt);
    return answers.shift();
  };
  const idempotencyKey = crypto.randomUUID();
  const error = await errorOf(open(link, { passphrase, idempotencyKey, fetch }));
  expect(error).toBeInstanceOf(DecryptionError);
  expect(error).toMatchObject({ code: "decryption_failed", outcome: undefined });
  expect(await errorOf(open(link, { passphrase: "right", fetch }))).toMatchObject({ code: "secret_claimed" });
  // The same key repeats the claim.
  const { text, replayUntil } = await open(link, { passphrase, idempotencyKey, fetch });
  expect({ text, replayUntil }).toEqual({ text: "hunter2", replayUntil: expect.stringMatching(/Z$/) });
  expect({ asked, calls }).toEqual({ asked: [1, 2, 1, 2], calls: [CLAIM, CLAIM, CLAIM] });

  const sent = await send("hunter3", { ...access, passphrase: "correct horse battery" });
  expect(await open(sent.link, { passphrase: "correct horse battery" })).toMatchObject({ text: "hunter3" });
});

test("a passphrase that can't be right is refused before the claim", async () => {
  const link = await lockedLink();
  const { calls, fetch } = recordingFetch();
  for (const passphrase of [123_456, null, "", () => 123_456, () => ""]) {
    const error = await errorOf(open(link, { fetch, passphrase: passphrase as string }));
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({ message: expect.stringContaining("passphrase"), outcome: undefined });
  }
  // As a prompt of a browser that was canceled.
  const canceled = await errorOf(open(link, { fetch, passphrase: () => null as unknown as undefined }));
  expect({ canceled, calls }).toMatchObject({ canceled: { code: "passphrase_missing" }, calls: [] });
  const answers = ["wrong", 123_456];
  const late = await errorOf(open(link, { fetch, passphrase: () => answers.shift() as string }));
  expect({ late, calls }).toMatchObject({ late: { code: "decryption_failed" }, calls: [CLAIM] });
});

test("a call that waits for a passphrase ends when its signal is aborted", async () => {
  const link = await lockedLink();
  const { calls, fetch } = recordingFetch();
  const openUntil = (lastAttempt: number) => {
    const stop = new AbortController();
    const passphrase = (attempt: number) => {
      if (attempt < lastAttempt) return "wrong";
      queueMicrotask(() => stop.abort("enough"));
      return new Promise<string>(() => undefined);
    };
    return errorOf(open(link, { signal: stop.signal, passphrase, fetch }));
  };
  const before = await openUntil(1);
  expect(before).toBeInstanceOf(InterruptedError);
  expect({ before, calls }).toMatchObject({ before: { cause: "enough", outcome: undefined }, calls: [] });
  const after = await openUntil(2);
  expect(after).toBeInstanceOf(InterruptedError);
  expect({ after, calls }).toMatchObject({ after: { cause: "enough", outcome: "unknown" }, calls: [CLAIM] });
});

test("a claim whose answer was damaged counts, and is repeated with the key that was given beforehand", async () => {
  const { link } = await send("hunter2", access);
  const { fetch } = recordingFetch(async (_, proceed) => {
    const text = await (await proceed()).text();
    const headers = { "content-type": "application/json" };
    return new Response(text.replace(/("ciphertext":"[^"]*)[^"]{8}"/, '$1AAAAAAAA"'), { headers });
  });
  const idempotencyKey = crypto.randomUUID();
  const error = await errorOf(open(link, { idempotencyKey, fetch }));
  expect(error).toMatchObject({ name: "DecryptionError", code: "decryption_failed", outcome: undefined });
  expect(await status(link)).toMatchObject({ secret: { state: "claimed" } });
  expect((await open(link, { idempotencyKey })).text).toBe("hunter2");
});

test("an acknowledged secret can't be opened again, and an acknowledgement that is lost rejects nothing", async () => {
  const idempotencyKey = crypto.randomUUID();
  const { link } = await send("hunter2", access);
  const { fetch } = recordingFetch(async (path, proceed) =>
    path.endsWith("/acknowledgement") ? new Response("", { status: 500 }) : proceed(),
  );
  await (await open(link, { idempotencyKey, fetch })).acknowledge();
  const again = await open(link, { idempotencyKey });
  await again.acknowledge();
  expect(await errorOf(open(link, { idempotencyKey }))).toMatchObject({ name: "GoneError", code: "secret_claimed" });
});

test("a request is answered through its link, and collected by its backup link", async () => {
  const asked = await request({ ...access, note: "the staging key", maxSubmissions: 2, reference: "OPS-4711" });
  expect(await status(asked.link)).toMatchObject({ kind: "invitation", note: "the staging key", submissionsLeft: 2 });
  expect(await collect(asked.backupLink, access)).toMatchObject({ request: { state: "open" }, submissions: [] });
  const { secret_id: id } = await submit(asked.link, "hunter2");
  const { submissions } = await collect(asked.backupLink, { ...access, waitSeconds: 60 });
  expect(submissions.map((each) => each.id)).toEqual([id]);
  const opened = await submissions[0]?.open();
  expect(opened).toMatchObject({ text: "hunter2", secret: { request_id: asked.request.id } });
  expect(await collect(asked.backupLink, access)).toMatchObject({ request: { state: "open" }, submissions: [] });
  expect(await status(asked.request.id, access)).toMatchObject({ kind: "request", request: { submission_count: 1 } });
  await revoke(asked.request.id, access);
  expect(await errorOf(submit(asked.link, "too late"))).toMatchObject({ name: "GoneError", code: "request_revoked" });
});

test("what can't be opened doesn't keep the rest from being opened", async () => {
  const asked = await request({ ...access, maxSubmissions: 2 });
  const { id, seed } = parseRequestLink(asked.link);
  const { submitToken } = await deriveRequestKeys(seed);
  const body = { envelope: { version: 1, ciphertext: "fake-local-test-only" } };
  await server.call("POST", `/api/v1/requests/${id}/submissions`, { token: submitToken, body });
  await submit(asked.link, "hunter2");
  const { submissions } = await collect(asked.backupLink, access);
  const opened = await Promise.allSettled(submissions.map((each) => each.open()));
  expect(opened).toMatchObject([
    { status: "rejected", reason: { name: "DecryptionError", code: "decryption_failed" } },
    { status: "fulfilled", value: { text: "hunter2" } },
  ]);
});

test("nothing is handed in to a recipient that the link doesn't name", async () => {
  const asked = await request({ ...access, compat: true });
  const { recipient } = await createAgeIdentity("x25519");
  const { calls, fetch } = recordingFetch(async (_, proceed) => {
    const answer = await proceed();
    return Response.json({ ...((await answer.json()) as object), recipient });
  });
  const error = await errorOf(submit(asked.link, "hunter2", { fetch }));
  expect(error).toBeInstanceOf(DecryptionError);
  expect({ error, calls }).toMatchObject({
    error: { code: "recipient_swapped" },
    calls: ["GET /api/v1/requests/req/invitation"],
  });
});

test("a backup link with the key of another request is refused before anything is claimed", async () => {
  const [asked, other] = [await request(access), await request(access)];
  const mixed = asked.backupLink.replace(/#.*/, other.backupLink.slice(other.backupLink.indexOf("#")));
  await submit(asked.link, "hunter2");
  const error = await errorOf(collect(mixed, access));
  expect(error).toBeInstanceOf(UsageError);
  expect((await collect(asked.backupLink, access)).submissions).toHaveLength(1);
});

test("the API key goes to the named server alone, whatever a backup link says", async () => {
  const { backupLink } = await request(access);
  const urls: string[] = [];
  const spy = (url: string) => {
    urls.push(new URL(url).origin);
    return Promise.resolve(new Response("", { status: 404 }));
  };
  const moved = backupLink.replace(server.url, "https://elsewhere.example");
  expect(await errorOf(collect(moved, { ...access, fetch: spy }))).toBeInstanceOf(NetworkError);
  expect(urls).toEqual([server.url]);
});

test("events come each once and in order, those of the past or those that happen from now on", async () => {
  const own = await accessFor({ team: "events" });
  const { secret } = await send("one", own);
  const past = await Array.fromAsync(events({ ...own, follow: false }));
  expect(past.map(({ type, secret_id: id }) => [type, id])).toEqual([["secret.created", secret.id]]);
  const stop = new AbortController();
  const seen: string[] = [];
  const follow = async () => {
    for await (const { type } of events({ ...own, after: past[0]?.id, signal: stop.signal })) {
      seen.push(type);
      if (type === "secret.revoked") stop.abort("enough");
    }
  };
  // The event can come before the answer to what caused it.
  const ended = errorOf(follow());
  await send("two", own);
  await revoke(secret.id, own);
  const error = await ended;
  expect(error).toBeInstanceOf(InterruptedError);
  expect(error).toMatchObject({ code: "interrupted", cause: "enough", outcome: undefined });
  expect(seen).toEqual(["secret.created", "secret.revoked"]);
  for await (const { type } of events(own)) {
    expect(type).toBe("secret.created");
    // The stream ends with the loop.
    break;
  }
});

test("what is wrong with a call is said before anything is sent", async () => {
  const { calls, fetch } = recordingFetch();
  const [ID, link] = [exampleId("secret"), `https://handoff.example/s/${exampleId("secret")}#1.short`];
  const wrong = { ...access, fetch };
  for (const [call, name, says] of [
    [() => open(link, { fetch }), "UsageError", "This link is incomplete."],
    [() => submit(link, "hunter2", { fetch }), "UsageError", "a request link is needed"],
    [() => collect(link, wrong), "UsageError", "a backup link is needed"],
    [() => status(ID, { fetch }), "UsageError", "needs a server and an API key"],
    [() => status(exampleId("event"), wrong), "UsageError", "isn't the ID of a secret or a request"],
    [() => revoke(link, wrong), "UsageError", "isn't the ID of a secret or a request"],
    [() => events({ ...wrong, after: link }).next(), "UsageError", "isn't the ID of an event"],
    [() => send("hunter2", { ...wrong, apiKey: "hunter2" }), "CredentialError", "starts with hak_"],
    [() => send("hunter2", { ...wrong, apiKey: undefined }), "CredentialError", "There is no API key. Set apiKey."],
    [() => send("hunter2", { ...wrong, server: "handoff.example" }), "UsageError", "must begin with https://"],
    [() => send("hunter2", { ...wrong, server: "http://handoff.example" }), "UsageError", "or set allowHttp."],
    [() => open(link.replace("https", "http") + "#", { fetch }), "UsageError", "incomplete"],
  ] as const) {
    const error = await errorOf(call());
    expect(error).toBeInstanceOf(HandoffError);
    expect(error).toMatchObject({ name, message: expect.stringContaining(says), outcome: undefined });
    expect(String(error)).not.toContain("hunter2");
    expect(String(error)).not.toContain("--");
  }
  expect(calls).toEqual([]);
});

test("arguments that a program without types may give are refused as a wrong use", async () => {
  const { calls, fetch } = recordingFetch();
  const { link, secret } = await send("hunter2", access);
  const { backupLink, link: requestLink } = await request(access);
  await submit(requestLink, "hunter2");
  const [submission] = (await collect(backupLink, access)).submissions;
  const wrong = { ...access, fetch };
  const openSubmission = (options: never) => submission?.open(options) ?? Promise.resolve();
  const next = (options: never) => events(options).next();
  const uses: readonly (readonly [(...values: never[]) => Promise<unknown>, ...unknown[]])[] = [
    [send, null, wrong],
    [send, undefined, wrong],
    [send, { text: "hunter2" }, wrong],
    [send, { text: 5, files: [] }, wrong],
    [send, { files: [null] }, wrong],
    [send, { files: [{ name: "a", bytes: "hunter2" }] }, wrong],
    [send, { files: [{ bytes }] }, wrong],
    [send, "hunter2"],
    [send, "hunter2", null],
    [send, "hunter2", { ...wrong, server: undefined }],
    [send, "hunter2", { ...wrong, server: new URL(server.url) }],
    [send, "hunter2", { ...wrong, apiKey: null }],
    [send, "hunter2", { ...wrong, expiresIn: "3600" }],
    [send, "hunter2", { ...wrong, passphrase: () => "hunter2" }],
    [send, "hunter2", { ...wrong, signal: "soon" }],
    [open, undefined, { fetch }],
    [open, new URL(link), { fetch }],
    [open, link, null],
    [open, link, { fetch, idempotencyKey: 5 }],
    [openSubmission, null],
    [openSubmission, { idempotencyKey: 5 }],
    [request],
    [request, { ...wrong, note: 5 }],
    [submit, undefined, "hunter2", { fetch }],
    [submit, requestLink, null, { fetch }],
    [collect, undefined, wrong],
    [collect, backupLink],
    [status, undefined, { fetch }],
    [status, new URL(link), { fetch }],
    [revoke, undefined, wrong],
    [revoke, secret.id],
    [next],
    [next, { ...wrong, after: 5 }],
  ];
  for (const [call, ...values] of uses) {
    const error = await errorOf(Reflect.apply(call, undefined, values));
    expect({ name: call.name, values, error }).toMatchObject({ error: expect.any(UsageError) });
    expect(String(error)).not.toContain("hunter2");
  }
  expect(calls).toEqual([]);
  expect((await submission?.open())?.text).toBe("hunter2");
});

test("a link whose beginning is a user name calls no machine", async () => {
  const { calls, fetch } = recordingFetch();
  const { link } = await send("hunter2", access);
  const disguised = link.replace(server.url, "http://localhost:80@evil.invalid");
  expect(await errorOf(open(disguised, { fetch }))).toBeInstanceOf(UsageError);
  expect(
    await errorOf(send("hunter2", { ...access, fetch, server: "http://localhost:80@evil.invalid" })),
  ).toBeInstanceOf(UsageError);
  expect(calls).toEqual([]);
});

test("the origin of links is told where it isn't the one that was called", async () => {
  const renamed = async (_: string, proceed: Proceed) => {
    const answer = await proceed();
    const text = (await answer.text()).replace(`"url":"${server.url}/`, '"url":"https://other.example/');
    return new Response(text, { status: answer.status, headers: answer.headers });
  };
  const { fetch } = recordingFetch(renamed);
  for (const make of [send.bind(undefined, "hunter2"), request]) {
    const made = await make({ ...access, fetch });
    expect(made.link).toStartWith("https://other.example/");
    expect(made.otherOrigin).toBe("https://other.example");
    expect((await make(access)).otherOrigin).toBeUndefined();
  }
});

test("unencrypted HTTP to another machine is refused, and used where it is allowed", async () => {
  const { calls, fetch } = recordingFetch(async () => new Response("", { status: 404 }));
  const { link } = await send("hunter2", access);
  const elsewhere = link.replace(server.url, "http://handoff.example");
  expect(await errorOf(open(elsewhere, { fetch }))).toMatchObject({ name: "UsageError", code: "insecure_url" });
  expect(calls).toEqual([]);
  expect(await errorOf(open(elsewhere, { fetch, allowHttp: true }))).toBeInstanceOf(NetworkError);
  expect(calls).toEqual([CLAIM]);
});

test("a refusal has the code of the API, and the id under which the server has logged it", async () => {
  const reader = await accessFor({ scopes: ["secrets:read"] });
  const error = await errorOf(send("hunter2", reader));
  expect(error).toBeInstanceOf(CredentialError);
  const { requestId = "", ...said } = error as HandoffError;
  expect(said).toMatchObject({ code: "insufficient_scope", outcome: undefined });
  expect(await server.lineOf(requestId)).toContain("insufficient_scope");
});

test("the outcome is unknown when the call may have been carried out, and only then", async () => {
  const gone = new Response("", { status: 500 });
  const lost = recordingFetch(async (path, proceed) => {
    const answer = await proceed();
    return path === "/api/v1/secrets" ? gone : answer;
  });
  const error = await errorOf(send("hunter2", { ...access, fetch: lost.fetch }));
  expect(error).toBeInstanceOf(NetworkError);
  expect(error).toMatchObject({ code: "gateway_unavailable", outcome: "unknown" });

  const stop = new AbortController();
  const stopping = recordingFetch((path, proceed) => {
    if (path === "/api/v1/secrets") stop.abort();
    return proceed();
  });
  const options = { ...access, signal: stop.signal, fetch: stopping.fetch };
  expect(await errorOf(send("hunter2", options))).toMatchObject({ name: "InterruptedError", outcome: "unknown" });
  // Now nothing is sent.
  stopping.calls.length = 0;
  expect(await errorOf(send("hunter2", options))).toMatchObject({ name: "InterruptedError", outcome: undefined });
  expect(stopping.calls).toEqual([]);
});

test("a call whose answer was lost is made again with the same key, and nothing is done twice", async () => {
  let losses = 0;
  const { calls, fetch } = recordingFetch(async (path, proceed) => {
    const answer = await proceed();
    if (!path.endsWith("/claim") || losses++ > 0) return answer;
    throw new TypeError("fetch failed");
  });
  const { link, secret } = await send("hunter2", access);
  expect((await open(link, { fetch })).text).toBe("hunter2");
  expect(calls).toEqual([CLAIM, CLAIM]);
  expect(await status(secret.id, access)).toMatchObject({ secret: { claims: 1 } });
});

test("fields are asked for, handed in and collected by their names", async () => {
  const { link, backupLink } = await request({
    ...access,
    note: "staging",
    fields: ["user", { name: "password", kind: "password" }, "SSH key:multiline"],
  });
  expect(await status(link)).toMatchObject({
    kind: "invitation",
    note: "staging",
    fields: [
      { name: "user", kind: "text" },
      { name: "password", kind: "password" },
      { name: "SSH key", kind: "multiline" },
    ],
  });
  const fields = { user: "me", password: 'a"\\b', "SSH key": "1\n2\n" };
  for (const wrong of [{ ...fields, user: "" }, { user: "me" }, { ...fields, host: "x" }]) {
    const error = await errorOf(submit(link, { fields: wrong }));
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({ code: "bad_form" });
  }
  for (const wrong of [{ fields: [] }, { fields: { ...fields, user: 5 } }, { fields: null }, { fields, files: [] }]) {
    expect(await errorOf(submit(link, wrong as unknown as { fields: {} }))).toBeInstanceOf(UsageError);
  }
  await submit(link, { fields });
  const { submissions } = await collect(backupLink, access);
  expect(await submissions[0]?.open()).toMatchObject({ fields });
});

test("what isn't fields has none, and neither has a secret of a link", async () => {
  const { link, backupLink } = await request({ ...access, fields: ["user"], maxSubmissions: 2 });
  await submit(link, "me");
  await submit(link, "handoff fields 1\nuser: me\nuser: you\n");
  for (const submission of (await collect(backupLink, access)).submissions) {
    expect(await submission.open()).toMatchObject({ fields: undefined, text: expect.stringContaining("me") });
  }
  const sent = await send("handoff fields 1\nuser: me\n", access);
  expect(await open(sent.link)).not.toHaveProperty("fields");
  const plain = await request(access);
  expect(await status(plain.link)).toMatchObject({ note: undefined, fields: [] });
  expect(await errorOf(submit(plain.link, { fields: { user: "me" } }))).toMatchObject({ code: "bad_form" });
  for (const wrong of [["a=b"], ["user", "User"], [{ name: "user" }], [5], "user", { 0: "user" }]) {
    expect(await errorOf(request({ ...access, fields: wrong as string[] }))).toBeInstanceOf(UsageError);
  }
});
