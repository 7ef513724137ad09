import { expect, test } from "bun:test";
import { createMailSender } from "../../../src/domain/mails/sender.ts";
import type { MailSender } from "../../../src/domain/mails/sender.ts";
import type { MailRecord, MailStore } from "../../../src/domain/ports/mails.ts";
import type { ServerPolicy } from "../../../src/domain/server-policies.ts";
import type { Service } from "../../../src/domain/service.ts";
import { beginMailSignIn } from "../../../src/domain/signing-in/mail-codes.ts";
import { invitePerson, removePerson } from "../../../src/domain/signing-in/persons.ts";
import { createTeam } from "../../../src/domain/teams.ts";
import { createMailer } from "../../../src/mail/mailer.ts";
import { codesIn, openMailServer } from "../../support/mail-servers.ts";
import type { MailServer } from "../../support/mail-servers.ts";
import { startTestServer } from "../../support/server.ts";

const OWN = { "sec-fetch-site": "same-origin" };
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const ANN = "ann@a.test";
const LOOK = { baseUrl: "https://handoff.test", name: "handoff", accent: { light: "#14563f", dark: "#7cd3b1" } };
const FROM = { name: "", address: "handoff@mail.test" };

/** The real app with a sender to `mailServer`, whose clock the test moves; a team with the person Ann. */
async function setUp(mailServer: MailServer, policy: Partial<ServerPolicy> = {}) {
  let sender: MailSender | undefined;
  const server = await startTestServer({
    policy: { signInWays: ["link", "mail"], ...policy },
    http: { baseUrl: () => "https://handoff.test", wakeMails: () => void sender?.look() },
  });
  const { service } = server.backend;
  const seen = { errors: [] as unknown[], failures: [] as string[] };
  const startSender = (change: Partial<MailStore> = {}) =>
    createMailSender({
      store: { ...service.store, ...change },
      clock: service.clock,
      mailer: createMailer({
        server: mailServer.target,
        from: FROM,
        look: () => LOOK,
        ca: mailServer.ca,
        timeoutMs: 2000,
      }),
      domains: service.policy.signInDomains,
      onError: (error) => void seen.errors.push(error),
      onFailure: (_mail: MailRecord, result, reason) => void seen.failures.push(`${result}: ${reason}`),
    });
  sender = startSender();
  const running = sender;
  await createTeam(service, "team");
  await invitePerson(service, { team: "team", address: ANN });
  const call = (method: string, path: string, { body, cookie = "" }: { body?: unknown; cookie?: string } = {}) =>
    server.call(method, `/app${path}`, { body, headers: { ...OWN, cookie } });
  const ask = async (address = ANN, language = "en") => {
    const answer = await call("POST", "/session/mail", { body: { address, language } });
    return { ...answer, cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? "" };
  };
  return {
    server,
    service,
    sender: running,
    seen,
    startSender,
    call,
    ask,
    /** Asks for a code, and reads it from the mail. */
    askForCode: async (address?: string) => {
      const before = mailServer.mails.length;
      const { cookie } = await ask(address);
      const mail = (await mailServer.untilMails(before + 1))[before];
      await running.settle();
      return { cookie, codes: mail ? codesIn(mail) : [] };
    },
    use: (code: string, cookie: string) => call("POST", "/session", { body: { mail: { code } }, cookie }),
    /** Moves the clock in steps, and lets the sender do what is due. */
    pass: async (milliseconds: number, step = milliseconds) => {
      for (let passed = 0; passed < milliseconds; passed += step) {
        server.backend.clock.advance(step);
        await running.settle();
      }
    },
    events: async () => {
      const [team] = await service.store.listTeams();
      return (await service.store.listEvents(team?.id ?? "", undefined, 1000)).map(({ type }) => type);
    },
    async [Symbol.asyncDispose]() {
      await running.stop();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Queues a mail to Ann, and wakes no sender. */
async function queueMail({ store, clock }: Service): Promise<void> {
  const now = clock.now();
  const attempt = { purpose: "mail_sign_in", challenge: "c", expiresAt: now + MINUTE, address: ANN } as const;
  const times = { createdAt: now, nextAt: now, endsAt: now + MINUTE, tries: 0 };
  const mail = { id: "a1", kind: "sign_in_code", address: ANN, language: "en", data: { seed: "c" }, ...times } as const;
  await store.beginMailSignIn(attempt, new Uint8Array(32), mail);
}

/** A code that isn't the right one. */
const wrongOf = (code = "") => (code === "00000000" ? "00000001" : "00000000");

test("a code that came by mail signs its person in, once, in the browser that asked", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer);
  const { cookie, codes } = await place.askForCode();
  const [code = ""] = codes;
  expect(codes).toHaveLength(1);
  const other = await place.ask(ANN);
  const late = await place.use(code, "");
  expect(late.json).toMatchObject({
    code: "credential_expired",
    detail: expect.stringMatching(/^The code has expired/),
  });
  const wrong = await place.use(code, other.cookie);
  expect(wrong.json).toMatchObject({ code: "credential_invalid", detail: "The code is wrong." });
  // Neither is about API keys.
  expect(`${late.text}${wrong.text}`).not.toMatch(/API key|admin/);
  const signedIn = await place.use(code, cookie);
  expect(signedIn).toMatchObject({ status: 200, json: { address: ANN, team: "team" } });
  const session = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  const { data } = (await place.call("GET", "/sessions", { cookie: session })).json;
  expect(data).toMatchObject([{ way: "mail", is_current: true }]);
  expect((await place.use(code, cookie)).json.code).toBe("credential_expired");
  expect(await place.events()).toEqual(["person.signed_in"]);
});

test("the browser gets a cookie of its own for ten minutes, and the ways tell of mail", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer);
  const { headers } = await place.ask();
  expect(headers.get("set-cookie")).toMatch(
    /^__Host-handoff-mail=hut_\w+; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=600$/,
  );
  expect((await place.call("GET", "/session")).json).toMatchObject({ credential: null, ways: ["link", "mail"] });
});

test("a known and an unknown address are answered alike, and nothing is sent, logged or counted of the latter", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer);
  await invitePerson(place.service, { team: "team", address: "gone@a.test" });
  await removePerson(place.service, { nameOrId: "gone@a.test", team: "team" });
  const shapes = [];
  for (const address of [ANN, "eve@a.test", "gone@a.test"]) {
    const { status, text, headers } = await place.ask(address);
    const names = [...headers.keys()].filter((name) => name !== "date").toSorted();
    shapes.push({ status, text, names, length: headers.get("set-cookie")?.length });
  }
  expect(new Set(shapes.map((each) => JSON.stringify(each))).size).toBe(1);
  expect(shapes[0]).toMatchObject({ status: 202, text: "{}" });
  await place.sender.settle();
  expect(mailServer.mails.map(({ to }) => to)).toEqual([[ANN]]);
  expect(await place.service.store.listDueMails(10)).toEqual([]);
  expect(place.sender.counts()).toEqual([{ kind: "sign_in_code", result: "sent", count: 1 }]);
  expect(place.server.logs.join("\n")).not.toMatch(/@a\.test/);
  expect(place.seen).toEqual({ errors: [], failures: [] });
});

test("a code works for ten minutes and five tries", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer);
  const late = await place.askForCode();
  await place.pass(10 * MINUTE - 1);
  const { cookie, codes } = await place.askForCode();
  const [code = ""] = codes;
  await place.pass(1);
  expect((await place.use(late.codes[0] ?? "", late.cookie)).json.code).toBe("credential_expired");
  for (let n = 0; n < 4; n++) expect((await place.use(wrongOf(code), cookie)).json.code).toBe("credential_invalid");
  expect(await place.events()).toEqual([]);
  expect((await place.use(wrongOf(code), cookie)).json.code).toBe("credential_invalid");
  expect(await place.events()).toEqual(["person.refused"]);
  expect((await place.use(code, cookie)).json.code).toBe("credential_expired");
});

test("of several teams, the code that is typed decides", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer);
  await createTeam(place.service, "second");
  await invitePerson(place.service, { team: "second", address: ANN });
  const { cookie, codes } = await place.askForCode();
  expect(mailServer.mails[0]?.mail.text).toMatch(/team team:[^]*team second:/);
  expect(await place.use(codes[1] ?? "", cookie)).toMatchObject({ status: 200, json: { team: "second" } });
});

test("a domain's people are let into its team with their first code", async () => {
  await using mailServer = await openMailServer();
  const signInDomains = [{ domain: "b.test", team: "team" }];
  await using place = await setUp(mailServer, { signInDomains });
  const { cookie, codes } = await place.askForCode("bob@b.test");
  expect(await place.service.store.findIdentities("bob@b.test", undefined)).toEqual([]);
  expect(await place.use(codes[0] ?? "", cookie)).toMatchObject({ status: 200, json: { address: "bob@b.test" } });
});

test("made-up addresses of a sign-in domain wait, and not the codes of people who are known", async () => {
  await using mailServer = await openMailServer();
  const signInDomains = ["b.test", "c.test"].map((domain) => ({ domain, team: "team" }));
  await using place = await setUp(mailServer, { signInDomains });
  const asked = { language: "en", browser: null, system: null };
  for (let n = 0; n < 60; n++) await beginMailSignIn(place.service, { address: `x${n}@b.test`, ...asked });
  for (const address of ["y@c.test", ANN]) await beginMailSignIn(place.service, { address, ...asked });
  await place.sender.settle();
  const crowded = "delayed: Too many new addresses of its domain ask for codes.";
  expect(place.seen.failures).toEqual(Array.from({ length: 10 }, () => crowded));
  expect(mailServer.mails).toHaveLength(52);
  const seen = mailServer.mails.flatMap(({ to }) => to);
  expect(seen).toContain("y@c.test");
  expect(seen).toContain(ANN);
  // They come when the others have been sent for a while.
  await place.pass(2 * MINUTE, 5 * SECOND);
  expect(mailServer.mails).toHaveLength(62);
});

test("five mails to an address and twenty for a network are queued in an hour, for known and unknown addresses", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer);
  for (const address of [ANN, "eve@a.test"]) {
    for (let n = 0; n < 5; n++) expect((await place.ask(address)).status).toBe(202);
    const refused = await place.ask(address.toUpperCase());
    expect(refused).toMatchObject({ status: 429, json: { code: "rate_limited" }, cookie: "" });
    expect(Number(refused.headers.get("retry-after"))).toBe(720);
  }
  // Those that were refused count for the network too.
  for (let n = 0; n < 8; n++) expect((await place.ask(`eve${n}@a.test`)).status).toBe(202);
  expect(await place.ask("another@a.test")).toMatchObject({ status: 429 });
  await place.sender.settle();
  expect(mailServer.mails).toHaveLength(5);
  await place.pass(12 * MINUTE);
  expect((await place.ask()).status).toBe(202);
});

test("without mail, codes are nowhere to be had", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer, { signInWays: ["link", "passkey"] });
  expect((await place.ask()).json.code).toBe("not_found");
  expect((await place.use("12345678", "__Host-handoff-mail=hut_x")).json.code).toBe("not_found");
  expect(await place.service.store.listDueMails(10)).toEqual([]);
});

test("what is no address, language or code is refused before anything is stored", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer);
  const bodies = [
    {},
    { address: "ann", language: "en" },
    { address: "ann@a.test\r\nBcc: eve@b.test", language: "en" },
    { address: `${"x".repeat(250)}@a.test`, language: "en" },
    { address: ANN, language: "no language" },
    { address: ANN, language: "en", more: 1 },
  ];
  for (const body of bodies) {
    const { json } = await place.call("POST", "/session/mail", { body });
    expect({ body, code: json.code }).toEqual({ body, code: "schema_mismatch" });
  }
  for (const code of ["1234567", "123456789", "1234 5678", 12345678]) {
    const { json } = await place.call("POST", "/session", { body: { mail: { code } } });
    expect({ code, refused: json.code }).toEqual({ code, refused: "schema_mismatch" });
  }
  expect(await place.service.store.listDueMails(10)).toEqual([]);
  const foreign = await place.server.call("POST", "/app/session/mail", {
    body: { address: ANN, language: "en" },
    headers: { "sec-fetch-site": "cross-site" },
  });
  expect(foreign.json.code).toBe("invalid_header");
});

test("a mail that is put off is tried with growing pauses, and its code works when it comes", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer);
  mailServer.answers.push(451, 451, 451, 451);
  const { cookie } = await place.ask();
  await place.sender.settle();
  const tries = [mailServer.recipients()];
  for (const pause of [5, 10, 20, 40]) {
    await place.pass((pause - 1) * SECOND);
    tries.push(mailServer.recipients());
    await place.pass(SECOND);
  }
  expect(tries).toEqual([1, 1, 2, 3, 4]);
  const [mail] = await mailServer.untilMails(1);
  expect(await place.use(mail ? (codesIn(mail)[0] ?? "") : "", cookie)).toMatchObject({ status: 200 });
  expect(place.seen.failures).toEqual(Array(4).fill("delayed: localhost refused the recipient (451)."));
});

test("a mail server that is away holds nobody up; its mails are sent when it is back, or given up in time", async () => {
  const mailServer = await openMailServer();
  await using place = await setUp(mailServer);
  await mailServer[Symbol.asyncDispose]();
  const { status } = await place.ask();
  await place.sender.settle();
  expect({ status, failures: place.seen.failures }).toEqual({
    status: 202,
    failures: ["delayed: Can't connect to localhost: nothing listens there."],
  });
  await place.pass(5 * MINUTE, 10 * SECOND);
  await place.ask();
  await using back = await openMailServer("none", { port: mailServer.port });
  await place.pass(2 * MINUTE, 10 * SECOND);
  expect(back.mails.map(({ to }) => to)).toEqual([[ANN], [ANN]]);
  await back[Symbol.asyncDispose]();
  await place.ask();
  await place.pass(11 * MINUTE, 30 * SECOND);
  expect(place.seen.failures.at(-1)).toBe("expired: Its time is over.");
  expect(await place.service.store.listDueMails(10)).toEqual([]);
  const counted = place.sender.counts().map(({ result }) => result);
  expect(counted.toSorted()).toEqual(["delayed", "expired", "sent"]);
});

test("a recipient whom the mail server refuses for good is given up", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer);
  mailServer.answers.push(550);
  await place.ask();
  await place.sender.settle();
  await place.pass(10 * MINUTE, MINUTE);
  expect(mailServer.recipients()).toBe(1);
  expect(place.seen.failures).toEqual(["refused: localhost refused the recipient (550)."]);
});

test("a mail that was sent but not noted is sent again with the same ID after a crash", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer);
  const fail = async () => {
    throw new Error("the disk is full");
  };
  // This process can't note, and is then gone.
  const crashing = place.startSender({ deleteMail: fail });
  const { service } = place;
  await queueMail(service);
  await crashing.look();
  await mailServer.untilMails(1);
  await crashing.stop();
  await place.sender.settle();
  expect(mailServer.mails.map((each) => each.mail.messageId)).toEqual(["<a1@mail.test>", "<a1@mail.test>"]);
  expect(mailServer.mails.map(codesIn)[0]).toEqual(mailServer.mails.map(codesIn)[1] ?? []);
  expect(await service.store.listDueMails(10)).toEqual([]);
});

test("while the storage can't note, a mail that was sent isn't sent again by the same process", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer);
  const { service } = place;
  let isFull = true;
  let refusals = 0;
  const picky = place.startSender({
    deleteMail: async (id) => {
      if (!isFull) return service.store.deleteMail(id);
      refusals += 1;
      throw new Error("the disk is full");
    },
  });
  await queueMail(service);
  while (refusals < 3) {
    await picky.look();
    // Lets the mail go on that is being sent.
    await new Promise(setImmediate);
  }
  isFull = false;
  await picky.settle();
  expect(mailServer.mails).toHaveLength(1);
  expect(await service.store.listDueMails(10)).toEqual([]);
  await picky.stop();
});

test("a process that doesn't hold the lease sends nothing, and a stop leaves the queue to the next start", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer);
  const { service } = place;
  await place.sender.stop();
  await place.ask();
  let sent = 0;
  const idle = createMailSender({
    store: { ...service.store, mayCallWebhooks: async () => false },
    clock: service.clock,
    mailer: {
      send: async () => {
        sent += 1;
        return { result: "sent" };
      },
    },
    domains: [],
    onError: (error) => void place.seen.errors.push(error),
    onFailure: () => undefined,
  });
  await idle.settle();
  expect({ sent, errors: place.seen.errors }).toEqual({ sent: 0, errors: [] });
  expect(await service.store.listDueMails(10)).toHaveLength(1);
  const next = place.startSender();
  await next.settle();
  expect(mailServer.mails).toHaveLength(1);
  await next.stop();
});

test("wrong codes from a network hold up no right one, and what is left for an address is told nobody", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer, { failedAuthenticationsPerMinute: 3 });
  const first = await place.ask();
  expect(first.headers.get("ratelimit")).toStartWith('"mails";r=19;');
  await mailServer.untilMails(1);
  const { cookie, codes } = await place.askForCode();
  for (let n = 0; n < 5; n++) await place.use("00000000", "");
  expect((await place.use("00000000", "")).json.code).toBe("rate_limited");
  expect(await place.use(codes[0] ?? "", cookie)).toMatchObject({ status: 200 });
  expect((await place.ask()).headers.get("ratelimit")).toStartWith('"mails";r=17;');
});

test("a code that was asked for before its person was signed out signs nobody in", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer);
  const { cookie, codes } = await place.askForCode();
  const [ann] = await place.service.store.findPersons(ANN, undefined);
  await place.service.store.signOutPerson(ann?.id ?? "");
  expect((await place.use(codes[0] ?? "", cookie)).json.code).toBe("credential_expired");
});

test("a mail that ends while the queue is read isn't sent again", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer);
  const { store } = place.service;
  const hasEnded = Promise.withResolvers<void>();
  let reads = 0;
  const sender = place.startSender({
    async listDueMails(most) {
      reads += 1;
      const due = await store.listDueMails(most);
      // The second read is slow: the mail that it has found is sent and deleted before it arrives.
      if (reads === 2) await hasEnded.promise;
      return due;
    },
    async deleteMail(id) {
      await store.deleteMail(id);
      // Once the sender has noted it too.
      setImmediate(hasEnded.resolve);
    },
  });
  await queueMail(place.service);
  await Promise.all([sender.look(), sender.look()]);
  await sender.settle();
  expect(reads).toBeGreaterThan(1);
  expect(mailServer.mails).toHaveLength(1);
  await sender.stop();
});
