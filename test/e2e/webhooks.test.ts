import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { makeVouchedCertificate } from "../support/certificates.ts";
import { apiOf, jsonOf, mintKey, runExecutable } from "../support/executions.ts";
import { openReceiver } from "../support/receivers.ts";
import type { ReceivedCall, Receiver } from "../support/receivers.ts";
import { startProgram } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary.ts";

const TEXT = "fake-local-test-only";

/** A data folder with a team and a key, and its admin's commands. */
async function openPlace(data: string) {
  const token = await mintKey(data);
  const webhook = async (...args: readonly string[]) => {
    const ran = await runExecutable(["admin", "webhook", ...args, "--json", "--data-dir", data]);
    return { ...ran, json: JSON.parse(ran.stdout || "null") };
  };
  return {
    token,
    webhook,
    create: async (url: string, ...flags: readonly string[]) => {
      const { json, stderr } = await webhook("create", "--team", "team", "--url", url, ...flags);
      expect(stderr).toBe("");
      return json;
    },
    serve: (env: Readonly<Record<string, string>> = {}) =>
      startProgram(["serve", "--data-dir", data, "--listen", "127.0.0.1:0"], env),
  };
}

const idOf = (call: ReceivedCall | undefined) => call?.headers.get("webhook-id");

/** Looks repeatedly until `look` finds the result that `isThere` asks for. */
async function until<T>(look: () => Promise<T>, isThere: (found: T) => boolean): Promise<T> {
  for (;;) {
    const found = await look();
    if (isThere(found)) return found;
  }
}

test("a webhook gets a signed call about a claim within a second, chat and ntfy a sentence each", async () => {
  using folder = temporaryFolder();
  const place = await openPlace(folder.path);
  await using server = await place.serve();
  await using standard = openReceiver();
  await using chat = openReceiver();
  await using ntfy = openReceiver();
  const only = ["--event", "secret.claimed"];
  const { signing_secret: secret } = await place.create(standard.url, ...only);
  await place.create(chat.url, "--format", "chat", ...only);
  await place.create(ntfy.url, "--format", "ntfy", ...only);
  const api = apiOf(server.url, place.token);
  // The server has read them once this has arrived.
  const warmUp = await jsonOf(api.create(TEXT));
  await api.claim(warmUp.id);
  for (const each of [standard, chat, ntfy]) await each.untilCalls(1);
  const { id } = await jsonOf(api.create(TEXT, "?reference=OPS-4711"));
  const begun = performance.now();
  await api.claim(id);
  for (const each of [standard, chat, ntfy]) await each.untilCalls(2);
  expect(performance.now() - begun).toBeLessThan(1000);
  const [signed, message, note] = [standard, chat, ntfy].map(({ calls }) => calls[1]) as [
    ReceivedCall,
    ReceivedCall,
    ReceivedCall,
  ];
  const told = new Webhook(secret).verify(signed.body, Object.fromEntries(signed.headers)) as Record<string, unknown>;
  expect(told).toMatchObject({ type: "secret.claimed", data: { secret_id: id, reference: "OPS-4711" } });
  expect(() => new Webhook(secret).verify(`${signed.body} `, Object.fromEntries(signed.headers))).toThrow();
  const sentence = expect.stringMatching(
    new RegExp(String.raw`^The secret ${id} \(OPS-4711\) was opened by idn_\w+\.$`),
  );
  const { text, ...rest } = JSON.parse(message.body);
  expect({ text: text.replaceAll("`", ""), rest }).toEqual({ text: sentence, rest: {} });
  expect(text).toContain(`\`${id}\` (OPS-4711)`);
  expect({ body: note.body, title: note.headers.get("title") }).toEqual({
    body: sentence,
    title: "handoff: Secret opened",
  });
  expect([message, note].map((call) => call.headers.get("webhook-signature"))).toEqual([null, null]);
  // Nothing but metadata.
  const all = [signed, message, note].map(({ body, headers }) => body + JSON.stringify([...headers])).join();
  expect(all).not.toContain(TEXT);
  expect(all).not.toMatch(/h[acsu]t_|hak_|ciphertext/);
}, 30_000);

test("a delivery that was not recorded before a kill is repeated under its id, and no event is lost", async () => {
  using folder = temporaryFolder();
  const place = await openPlace(folder.path);
  // The answer to the third call never arrives.
  const silence = Promise.withResolvers<Response>();
  await using receiver = openReceiver((_call, calls) => (calls.length === 3 ? silence.promise : new Response()));
  await place.create(receiver.url);
  const ids: string[] = [];
  {
    await using server = await place.serve();
    const api = apiOf(server.url, place.token);
    for (let number = 0; number < 5; number += 1) ids.push((await jsonOf(api.create(TEXT))).id);
    await receiver.untilCalls(3);
    server.kill("SIGKILL");
    await server.exited;
  }
  silence.resolve(new Response());
  const toldBefore = idOf(receiver.calls[2]);
  const countBefore = receiver.calls.length;
  await using again = await place.serve();
  expect(again.url).toContain("http");
  const about = ({ body }: ReceivedCall): string =>
    (JSON.parse(body) as { data: { secret_id: string } }).data.secret_id;
  await until(
    async () => receiver.nextCall().then(() => receiver.calls.map(about)),
    (told) => ids.every((id) => told.includes(id)),
  );
  const after = receiver.calls.slice(countBefore);
  expect(after.map(idOf)).toContain(toldBefore);
  // From its recorded place on, in order.
  expect(after.map(about)).toEqual(ids.slice(ids.indexOf(about(after[0] as ReceivedCall))));
}, 30_000);

test("a server stops while a receiver is silent, and calls it again after its start", async () => {
  using folder = temporaryFolder();
  const place = await openPlace(folder.path);
  const silence = Promise.withResolvers<Response>();
  await using receiver = openReceiver((_call, calls) => (calls.length === 1 ? silence.promise : new Response()));
  await place.create(receiver.url);
  {
    await using server = await place.serve();
    await apiOf(server.url, place.token).create(TEXT);
    await receiver.untilCalls(1);
    const begun = performance.now();
    server.kill("SIGTERM");
    expect(await server.exited).toBe(0);
    expect(performance.now() - begun).toBeLessThan(8000);
  }
  await using again = await place.serve();
  await receiver.untilCalls(2);
  expect(idOf(receiver.calls[1])).toBe(idOf(receiver.calls[0]));
  expect(again.stderr()).not.toContain('"level":"error"');
  silence.resolve(new Response());
}, 30_000);

test("a server calls no webhook with an untrusted certificate or another name, and accepts a private CA", async () => {
  using folder = temporaryFolder();
  const place = await openPlace(join(folder.path, "data"));
  const made = (name: string) => {
    const { ca, cert, key } = makeVouchedCertificate(folder.path, name);
    return { ca: readFileSync(ca, "utf8"), tls: { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") } };
  };
  const [right, wrong] = [made("localhost"), made("elsewhere.example")];
  const trusted = join(folder.path, "trusted.pem");
  await Bun.write(trusted, right.ca + wrong.ca);
  const env = { NODE_EXTRA_CA_CERTS: trusted };
  await using receiver = openReceiver(() => new Response("taken"), right.tls);
  await using other = openReceiver(() => new Response("taken"), wrong.tls);
  const byName = ({ url }: Receiver) => url.replace("127.0.0.1", "localhost");
  const { id } = await place.create(byName(receiver));
  const { id: otherId } = await place.create(byName(other));
  const call = async (webhook: string, given: Readonly<Record<string, string>>) => {
    const args = ["admin", "webhook", "test", webhook, "--json", "--data-dir", join(folder.path, "data")];
    const { exitCode, stdout } = await runExecutable(args, given);
    return { exitCode, ...JSON.parse(stdout) };
  };
  expect(await call(id, {})).toMatchObject({ exitCode: 1, status: null, failure: "tls_untrusted" });
  expect(await call(otherId, env)).toMatchObject({ exitCode: 1, status: null, failure: "tls_untrusted" });
  expect([receiver.calls.length, other.calls.length]).toEqual([0, 0]);
  expect(await call(id, env)).toMatchObject({ exitCode: 0, status: 200, failure: null, answer: "taken" });
  await using server = await place.serve(env);
  await apiOf(server.url, place.token).create(TEXT);
  await receiver.untilCalls(2);
  const deliveries = await until(
    async () => (await place.webhook("deliveries", otherId)).json,
    (found) => found.length > 0,
  );
  expect(deliveries[0]).toMatchObject({ failure: "tls_untrusted", outcome: "retried", status: null });
  expect(other.calls).toEqual([]);
}, 30_000);

test("the faults of a webhook are found by the check, and logged by the server", async () => {
  using folder = temporaryFolder();
  const place = await openPlace(folder.path);
  await using receiver = openReceiver(() => new Response(null, { status: 410 }));
  const { id } = await place.create(receiver.url);
  const check = async () => {
    const { stdout } = await runExecutable(["admin", "check", "--json", "--data-dir", folder.path]);
    const findings: { check: string; level: string; text: string }[] = JSON.parse(stdout);
    return findings.filter((each) => each.check === "webhooks");
  };
  expect(await check()).toMatchObject([{ level: "ok" }]);
  await using server = await place.serve();
  await apiOf(server.url, place.token).create(TEXT);
  const [finding] = await until(check, ([found]) => found?.level !== "ok");
  expect(finding?.level).toBe("warning");
  expect(finding?.text).toContain(`${id} is paused since`);
  expect(finding?.text).toContain("answered 410");
  expect(server.stderr()).toContain(`"webhook":"${id}","msg":"webhook paused: its receiver answered 410"`);
  // The path of many URLs is a credential.
  expect(server.stderr()).not.toContain("token=t");
}, 30_000);

test("a backup has the webhooks with their places, and a restored server goes on from there", async () => {
  using folder = temporaryFolder();
  const place = await openPlace(join(folder.path, "data"));
  let status = 200;
  await using receiver = openReceiver(() => new Response(null, { status }));
  const { id, signing_secret: secret } = await place.create(receiver.url);
  {
    await using server = await place.serve();
    const api = apiOf(server.url, place.token);
    await api.create(TEXT);
    await receiver.untilCalls(1);
    status = 500;
    await api.create(TEXT);
    await receiver.untilCalls(2);
    await until(
      async () => (await place.webhook("show", id)).json,
      (shown) => shown.failing_since !== null,
    );
  }
  const [backup, back] = [join(folder.path, "a.backup"), join(folder.path, "back")];
  const data = ["--data-dir", join(folder.path, "data")];
  expect(await runExecutable(["admin", "backup", backup, ...data])).toMatchObject({ exitCode: 0 });
  expect(await runExecutable(["admin", "restore", backup, "--data-dir", back])).toMatchObject({ exitCode: 0 });
  status = 200;
  const before = receiver.calls.length;
  await using server = await startProgram(["serve", "--data-dir", back, "--listen", "127.0.0.1:0"]);
  expect(server.url).toContain("http");
  // The one that failed, and that the restore ended both secrets.
  await receiver.untilCalls(before + 3);
  const types = receiver.calls.slice(before).map(({ body }) => (JSON.parse(body) as { type: string }).type);
  expect(types).toEqual(["secret.created", "secret.revoked", "secret.revoked"]);
  const [, second] = receiver.calls;
  expect(idOf(receiver.calls[before])).toBe(idOf(second));
  const call = receiver.calls.at(-1) as ReceivedCall;
  expect(() => new Webhook(secret).verify(call.body, Object.fromEntries(call.headers))).not.toThrow();
}, 60_000);
