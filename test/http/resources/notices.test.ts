import { expect, test } from "bun:test";
import { createNoticer } from "../../../src/domain/mails/noticer.ts";
import { createMailSender } from "../../../src/domain/mails/sender.ts";
import type { NoticeStore } from "../../../src/domain/ports/notices.ts";
import type { ServerPolicy } from "../../../src/domain/server-policies.ts";
import { invitePerson, removePerson } from "../../../src/domain/signing-in/persons.ts";
import { createTeam } from "../../../src/domain/teams.ts";
import { createMailer } from "../../../src/mail/mailer.ts";
import { codesIn, openMailServer } from "../../support/mail-servers.ts";
import type { MailServer, ReceivedMail } from "../../support/mail-servers.ts";
import { createTestPage } from "../../support/page-sources.ts";
import { startTestServer } from "../../support/server.ts";

const OWN = { "sec-fetch-site": "same-origin" };
const HOUR = 3_600_000;
const READER = { language: "en", time_zone: "Europe/Berlin" };
const NONE = { opened: false, ending: false, handed_in: false, asked: false };
const ENVELOPE = { version: 1, ciphertext: "ZmFrZS1sb2NhbC10ZXN0LW9ubHk" };
const LOOK = { baseUrl: "https://handoff.test/below", name: "handoff", accent: { light: "#14563f", dark: "#7cd3b1" } };

/** The real app with a sender to `mailServer`, whose clock the test moves, and Ann, who is signed in. */
async function setUp(
  mailServer: MailServer,
  policy: Partial<ServerPolicy> = { sendsMails: true },
  address = "ann@a.test",
) {
  const server = await startTestServer({ policy, http: { page: async () => createTestPage() } });
  const { service, clock } = server.backend;
  await createTeam(service, "team");
  const invited = await invitePerson(service, { team: "team", address });
  const call = (method: string, path: string, body?: unknown, cookie = "") =>
    server.call(method, path, { body, headers: { ...OWN, cookie } });
  const { headers } = await call("POST", "/app/session", { sign_in_token: invited.token });
  const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
  const own = (method: string, path: string, body?: unknown) => call(method, `/app${path}`, body, cookie);
  const failures: string[] = [];
  const sender = createMailSender({
    store: service.store,
    clock,
    mailer: createMailer({ server: mailServer.target, from: { name: "", address: "h@mail.test" }, look: () => LOOK }),
    domains: [],
    onError: (error) => {
      throw error;
    },
    onFailure: (_mail, result) => void failures.push(result),
  });
  const errors: unknown[] = [];
  const startNoticer = (change: Partial<NoticeStore> = {}) =>
    createNoticer({
      store: { ...service.store, ...change },
      clock,
      random: service.random,
      contact: "help@a.test",
      onError: (error) => void errors.push(error),
    });
  const noticer = startNoticer();
  return {
    server,
    service,
    own,
    errors,
    failures,
    startNoticer,
    /** Queues and sends what there is. */
    settle: async () => {
      await noticer.look();
      await sender.settle();
    },
    send: async () => (await own("POST", "/secrets?expires_in=604800", { envelope: ENVELOPE })).json,
    open: ({ id, claim_token: token }: { id: string; claim_token: string }) =>
      server.call("POST", `/api/v1/secrets/${id}/claim`, { token }),
    async [Symbol.asyncDispose]() {
      noticer.stop();
      await sender.stop();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** The path of the address that switches such mails off. */
function offPathOf({ source, mail }: ReceivedMail): string {
  const [, url = ""] = /^List-Unsubscribe: <(.*)>$/m.exec(source.replaceAll("\r", "").replaceAll(/\n\s+/g, " ")) ?? [];
  expect(mail.text).toContain(url);
  expect(url).toStartWith("https://handoff.test/below/mail-off/");
  return url.slice("https://handoff.test/below".length);
}

test("a person gets no mail until they want it, then one, and the mail's address switches it off", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer);
  const { own, server, settle } = place;
  expect((await own("GET", "/notices")).json).toEqual(NONE);
  await place.open(await place.send());
  await settle();
  const wanted = { ...NONE, opened: true };
  expect((await own("PATCH", "/notices", { opened: true, ...READER })).json).toEqual(wanted);
  const sent = await place.send();
  await settle();
  expect(mailServer.mails).toHaveLength(0);
  await place.open(sent);
  await settle();
  const [received] = await mailServer.untilMails(1);
  if (!received) throw new Error("no mail");
  expect(received).toMatchObject({ to: ["ann@a.test"], mail: { subject: "What you sent was opened" } });
  expect(received.source).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
  expect(received.source).not.toContain(sent.claim_token);
  expect(received.mail.text).toContain(`…${sent.id.slice(-6)}`);
  const path = offPathOf(received);
  // Programs open the links in mails.
  const asked = await server.call("GET", path);
  expect(asked).toMatchObject({ status: 200, text: expect.stringContaining("Switch these mails off?") });
  expect(asked.headers.get("content-security-policy")).toContain("form-action 'self'");
  expect((await own("GET", "/notices")).json).toEqual(wanted);
  // As a mail program does, from elsewhere and without a session.
  const off = await server.call("POST", path, {
    body: "List-Unsubscribe=One-Click",
    headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "cross-site" },
  });
  expect(off).toMatchObject({ status: 200, text: expect.stringContaining("These mails are off") });
  expect((await own("GET", "/notices")).json).toEqual(NONE);
  await place.open(await place.send());
  await settle();
  expect(mailServer.mails).toHaveLength(1);
  expect(server.logs.join("\n")).not.toContain(path.split("/").at(-1) ?? "no token");
});

test("an address that was cut off, is for other mails or from before a switch says so, and changes nothing", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer);
  const switchOn = () => place.own("PATCH", "/notices", { opened: true, handed_in: true, ...READER });
  await switchOn();
  await place.open(await place.send());
  await place.settle();
  const [received] = await mailServer.untilMails(1);
  const good = received ? offPathOf(received) : "";
  const [, , person = "", kinds = "", token = ""] = good.split("/");
  expect(kinds).toBe("opened");
  const strange = [
    `/mail-off/${person}/handed_in/${token}`,
    `/mail-off/${person}/opened-handed_in/${token}`,
    `/mail-off/${person}/everything/${token}`,
    `/mail-off/${person}/opened/${token.slice(1)}`,
    `/mail-off/${person}/opened/${token.slice(1)}A`,
    `/mail-off/${person.slice(0, -1)}x/opened/${token}`,
    `/mail-off/${person}/opened/${"A".repeat(2000)}`,
  ];
  const both = { ...NONE, opened: true, handed_in: true };
  const stale = { status: 200, text: expect.stringContaining("This link switches nothing off") };
  for (const path of strange) {
    expect(await place.server.call("GET", path)).toMatchObject(stale);
    expect(await place.server.call("POST", path)).toMatchObject(stale);
  }
  // It leads nowhere else.
  const away = `/mail-off/${person}/opened/%2F%2Fevil.test`;
  const led = await place.server.call("POST", away, { headers: { "sec-fetch-mode": "navigate" } });
  expect(led.headers.get("location")).toBeNull();
  expect((await place.own("GET", "/notices")).json).toEqual(both);
  expect((await place.server.call("GET", good)).text).toContain("<li>When it is opened</li>");
  // A browser must not post again when its tab is loaded again.
  const headers = { "sec-fetch-mode": "navigate" };
  const answer = await place.server.call("POST", good, { headers });
  expect(answer).toMatchObject({ status: 303 });
  expect(new URL(answer.headers.get("location") ?? "", `${place.server.url}${good}`).pathname).toBe(good);
  expect((await place.server.call("GET", good)).text).toContain("These mails are off");
  expect((await place.server.call("POST", good)).text).toContain("These mails are off");
  expect((await place.own("GET", "/notices")).json).toEqual({ ...both, opened: false });
  // Who has an old mail can't silence those that are wanted again.
  await switchOn();
  expect(await place.server.call("POST", good)).toMatchObject(stale);
  expect((await place.own("GET", "/notices")).json).toEqual(both);
});

test("what is handed in, and what nobody opened a day before its end, is mailed too", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer);
  const { own, server, settle } = place;
  await own("PATCH", "/notices", { ending: true, handed_in: true, ...READER, language: "de" });
  const recipient = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";
  const asked = (await own("POST", "/requests?expires_in=604800", { recipient })).json;
  const path = `/api/v1/requests/${asked.id}/submissions`;
  await server.call("POST", path, { token: asked.submit_token, body: { envelope: ENVELOPE } });
  await place.send();
  await settle();
  const day = await mailServer.untilMails(1);
  expect(day[0]?.mail.subject).toBe("Jemand hat abgegeben, worum Sie gebeten haben");
  server.backend.clock.advance(6 * 24 * HOUR + HOUR);
  await settle();
  const all = await mailServer.untilMails(2);
  expect(all[1]?.mail.subject).toBe("Ihre Sendung hat noch niemand geöffnet");
  expect(all[1]?.mail.text).toMatch(/Es läuft am .* (MEZ|MESZ|GMT\+[12]) ab\./);
});

/** A secret that Ann has sent to everybody at b.test, with her approval, and an asker who has proven an address. */
async function openAsked(mailServer: MailServer) {
  const place = await setUp(mailServer);
  const { own, server, settle } = place;
  await own("PATCH", "/notices", { asked: true, ...READER });
  const query = "approval=sender&for=*%40b.test&reference=OPS-1&expires_in=604800";
  const sent = (await own("POST", `/secrets?${query}`, { envelope: ENVELOPE })).json;
  const call = (path: string, body?: unknown, headers = {}) =>
    server.call("POST", `/api/v1/secrets/${sent.id}${path}`, { token: sent.claim_token, body, headers });
  const noticer = place.startNoticer();
  return {
    ...place,
    sent,
    prove: async (address: string) => {
      const before = mailServer.mails.length;
      const { proof_token: proof } = (await call("/proofs", { address, language: "en" })).json;
      await settle();
      const mail = (await mailServer.untilMails(before + 1)).at(-1);
      await call("/proofs/code", { proof_token: proof, code: mail && codesIn(mail)[0] });
      return String(proof);
    },
    ask: async (proof: string) => {
      const { status, json } = await call("/asks", undefined, { "handoff-proof": proof });
      expect(status).toBe(201);
      return json;
    },
    decide: async (id: string, state: "approved" | "refused") =>
      expect((await own("PATCH", `/secrets/${sent.id}/asks`, { id, state })).status).toBe(200),
    /** Queues the mail about what was asked, and doesn't send it. */
    queue: async () => {
      await noticer.look();
      expect(await place.service.store.listDueMails(10)).toHaveLength(1);
    },
    mails: () => mailServer.mails.filter(({ to }) => to.includes("ann@a.test")),
    async [Symbol.asyncDispose]() {
      noticer.stop();
      await place[Symbol.asyncDispose]();
    },
  };
}

test("an approver is mailed the words and the proven address of who waits, and nothing that approves or opens", async () => {
  await using mailServer = await openMailServer();
  await using place = await openAsked(mailServer);
  const asked = await place.ask(await place.prove("eve@b.test"));
  await place.settle();
  const [received, ...more] = place.mails();
  if (!received) throw new Error("no mail");
  expect(more).toEqual([]);
  expect(received.mail.subject).toBe("Someone waits for your approval");
  const activity = "https://handoff.test/below/activity";
  for (const text of [received.mail.text, received.mail.html]) {
    for (const said of [asked.words.join(", "), "eve@b.test", "OPS-1", `…${place.sent.id.slice(-6)}`, activity]) {
      expect(text).toContain(said);
    }
    for (const kept of [asked.id, asked.approval_token, place.sent.claim_token, place.sent.id]) {
      expect(text).not.toContain(kept);
    }
  }
  const off = offPathOf(received);
  expect((await place.server.call("GET", off)).text).toContain("<li>When somebody asks</li>");
  await place.server.call("POST", off);
  expect((await place.own("GET", "/notices")).json).toEqual(NONE);
});

test("an ask that was decided, or is over, before its mail could be sent isn't mailed", async () => {
  await using mailServer = await openMailServer();
  await using place = await openAsked(mailServer);
  const { clock } = place.server.backend;
  const proof = await place.prove("eve@b.test");
  for (const state of ["approved", "refused"] as const) {
    const { id } = await place.ask(proof);
    await place.queue();
    await place.decide(id, state);
    await place.settle();
    // The next one is a new ask.
    await place.decide(id, "refused");
  }
  // The mail server is away: what is decided meanwhile isn't sent when it is back, what waits is.
  mailServer.answers.push(450, 450);
  const { id } = await place.ask(proof);
  await place.settle();
  await place.decide(id, "refused");
  const waiting = await place.ask(proof);
  await place.settle();
  expect(place.mails()).toEqual([]);
  clock.advance(60_000);
  await place.settle();
  expect(place.mails().map(({ mail }) => mail.text?.includes(waiting.words.join(", ")))).toEqual([true]);
  expect(place.failures).toEqual(["delayed", "delayed"]);
  // After its hour the log says that nobody got it.
  await place.decide(waiting.id, "refused");
  await place.ask(proof);
  await place.queue();
  clock.advance(HOUR);
  await place.settle();
  expect(place.failures).toEqual(["delayed", "delayed", "expired"]);
  expect(place.mails()).toHaveLength(1);
  expect(await place.service.store.listDueMails(10)).toEqual([]);
});

test("what was queued isn't sent once its person doesn't want it, or was removed", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer);
  const noticer = place.startNoticer();
  const queueOne = async () => {
    await place.own("PATCH", "/notices", { opened: true, ...READER });
    await place.open(await place.send());
    await noticer.look();
    expect(await place.service.store.listDueMails(10)).toHaveLength(1);
  };
  await queueOne();
  await place.own("PATCH", "/notices", { opened: false, ...READER });
  await place.settle();
  await queueOne();
  await removePerson(place.service, { nameOrId: "ann@a.test", team: undefined });
  noticer.stop();
  await place.settle();
  expect(await place.service.store.listDueMails(10)).toEqual([]);
  expect(mailServer.mails).toHaveLength(0);
});

test("a mail server that is away for a day gets what is younger than a day when it is back, once", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer);
  const { clock } = place.server.backend;
  const of = async () => {
    const sent = await place.send();
    await place.open(sent);
    // It is away: each of these is one try.
    mailServer.answers.push(...Array.from({ length: 30 }, () => 450));
    await place.settle();
    return sent.id.slice(-6);
  };
  await place.own("PATCH", "/notices", { opened: true, ...READER });
  const old = await of();
  for (let hour = 0; hour < 20; hour++) {
    clock.advance(HOUR);
    await place.settle();
  }
  const young = await of();
  clock.advance(4 * HOUR);
  mailServer.answers.length = 0;
  await place.settle();
  const mails = await mailServer.untilMails(1);
  clock.advance(HOUR);
  await place.settle();
  expect(mails.map(({ mail }) => [mail.text?.includes(old), mail.text?.includes(young)])).toEqual([[false, true]]);
  expect(place.failures.at(-1)).toBe("expired");
  expect(await place.service.store.listDueMails(10)).toEqual([]);
});

test("events that couldn't be read are read by the next look, and the failure is told once", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer);
  await place.own("PATCH", "/notices", { opened: true, ...READER });
  let fails = false;
  const noticer = place.startNoticer({
    queueNotices: (...args) => {
      if (fails) return Promise.reject(new Error("no disk"));
      return place.service.store.queueNotices(...args);
    },
  });
  await noticer.look();
  await place.open(await place.send());
  fails = true;
  await noticer.look();
  await noticer.look();
  expect(place.errors).toHaveLength(1);
  expect(await place.service.store.listDueMails(10)).toEqual([]);
  fails = false;
  await noticer.look();
  noticer.stop();
  expect(await place.service.store.listDueMails(10)).toHaveLength(1);
});

test("where no mails are sent there are no switches, and bad bodies are refused", async () => {
  await using mailServer = await openMailServer();
  await using silent = await setUp(mailServer, {});
  expect(await silent.own("GET", "/notices")).toMatchObject({ status: 404 });
  expect((await silent.own("GET", "/session")).json.sends_mails).toBe(false);
  expect(await silent.own("PATCH", "/notices", { opened: true, ...READER })).toMatchObject({ status: 404 });
  await using place = await setUp(mailServer);
  for (const body of [{}, { opened: "yes", ...READER }, { ...READER, time_zone: "<b>" }, { ...READER, all: true }]) {
    expect(await place.own("PATCH", "/notices", body)).toMatchObject({ status: 422 });
  }
  expect((await place.own("GET", "/session")).json.sends_mails).toBe(true);
  await using unaddressed = await setUp(mailServer, { sendsMails: true }, "ann");
  expect((await unaddressed.own("GET", "/session")).json.sends_mails).toBe(false);
  expect(await unaddressed.own("PATCH", "/notices", { opened: true, ...READER })).toMatchObject({ status: 404 });
  // A zone that this machine doesn't know is no reason to refuse.
  expect(await place.own("PATCH", "/notices", { ...READER, time_zone: "Mars/Base" })).toMatchObject({ status: 200 });
  expect((await place.server.call("GET", "/app/notices")).json.code).toBe("credential_missing");
});
