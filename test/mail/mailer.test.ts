import { expect, test } from "bun:test";
import { NOTICE_KINDS } from "../../src/contract/states.ts";
import type { NoticeKind } from "../../src/contract/states.ts";
import type { Letter } from "../../src/domain/ports/mails.ts";
import type { Notice } from "../../src/domain/ports/notices.ts";
import { LANGUAGES } from "../../src/mail/languages/languages.ts";
import { createMailer } from "../../src/mail/mailer.ts";
import type { MailerOptions, MailServer as Target } from "../../src/mail/mailer.ts";
import { codesIn, MAIL_PASSWORD, openMailServer } from "../support/mail-servers.ts";
import type { MailServer } from "../support/mail-servers.ts";

const LOOK = { baseUrl: "https://handoff.test", name: "Post & Co", accent: { light: "#14563f", dark: "#7cd3b1" } };
const FROM = { name: "Handoff, Inc.", address: "handoff@mail.test" };

function letter(change: Partial<Letter & { readonly kind: "sign_in_code" }> = {}): Letter {
  const codes = [{ team: "ops", code: "01234567" }];
  const of = { id: "a1b2", address: "ann@a.test", language: "en", browser: "Firefox", system: "Linux" };
  return { kind: "sign_in_code", codes, ...of, ...change };
}

function mailerFor(server: MailServer, change: Partial<Target> = {}, options: Partial<MailerOptions> = {}) {
  const timeoutMs = 2000;
  return createMailer({
    server: { ...server.target, ...change },
    from: FROM,
    look: () => LOOK,
    ca: server.ca,
    timeoutMs,
    ...options,
  });
}

test("a mail says who asks, from where, the code, and what to do, as text and as HTML", async () => {
  await using server = await openMailServer();
  expect(await mailerFor(server).send(letter())).toEqual({ result: "sent" });
  const [received] = await server.untilMails(1);
  if (!received) throw new Error("no mail");
  expect(received).toMatchObject({ from: FROM.address, to: ["ann@a.test"] });
  const { mail, source } = received;
  expect(mail).toMatchObject({ subject: "Your code for handoff.test", messageId: "<a1b2@mail.test>", attachments: [] });
  expect(mail.from?.value).toEqual([FROM]);
  expect(mail.headers.get("auto-submitted")).toBe("auto-generated");
  expect(codesIn(received)).toEqual(["01234567"]);
  for (const text of [mail.text ?? "", String(mail.html).replaceAll("&amp;", "&")]) {
    for (const said of [
      "handoff.test",
      "Firefox, Linux",
      "0123 4567",
      "10 minutes",
      "Nobody will ever ask",
      "Post & Co",
    ]) {
      expect(text).toContain(said);
    }
    // The code comes late enough that no notification shows it, and nothing is loaded or opened.
    expect(text).not.toMatch(/https?:|<img|<a |<script|url\(/);
  }
  expect(source.split("\r\n\r\n")[0]).not.toMatch(/0123 ?4567|User-Agent|X-Mailer/i);
});

test("an address in several teams gets a code for each, with the name of the team", async () => {
  await using server = await openMailServer();
  const codes = [
    { team: "ops", code: "01234567" },
    { team: "<b>QA</b>", code: "76543210" },
  ];
  await mailerFor(server).send(letter({ codes, browser: undefined, system: undefined }));
  const [received] = await server.untilMails(1);
  if (!received) throw new Error("no mail");
  expect(codesIn(received)).toEqual(["01234567", "76543210"]);
  expect(received.mail.text).toContain("for the team ops:");
  expect(received.mail.text).not.toContain("Asked in");
  expect(String(received.mail.html)).toContain("&lt;b&gt;QA&lt;/b&gt;");
});

test("every language says everything, and an unknown one is English", async () => {
  await using server = await openMailServer();
  const mailer = mailerFor(server);
  const codes = [
    { team: "ops", code: "01234567" },
    { team: "qa", code: "76543210" },
  ];
  for (const { language } of LANGUAGES) await mailer.send(letter({ codes, language: language.toLowerCase() }));
  await mailer.send(letter({ codes, language: "tlh" }));
  const mails = await server.untilMails(LANGUAGES.length + 1);
  expect(new Set(mails.map(({ mail }) => mail.subject)).size).toBe(LANGUAGES.length);
  for (const [at, received] of mails.entries()) {
    const { text = "", html, subject } = received.mail;
    const { language, direction } = LANGUAGES[at] ?? { language: "en", direction: "ltr" };
    expect({ language, codes: codesIn(received) }).toEqual({ language, codes: ["01234567", "76543210"] });
    for (const said of ["handoff.test", "Firefox, Linux", "10", "ops", "qa"]) expect(text).toContain(said);
    expect(subject).toContain("handoff.test");
    expect(`${subject}${text}${html}`).not.toMatch(/\{\w+\}|undefined/);
    expect(html).toContain(`<html lang="${language}" dir="${direction}">`);
  }
});

test("a mail is in its language in whatever region", async () => {
  await using server = await openMailServer();
  const mailer = mailerFor(server);
  const wanted = ["de-AT", "PT", "pt-PT", "zh-CN"];
  for (const language of wanted) await mailer.send(letter({ language }));
  const mails = await server.untilMails(wanted.length);
  expect(mails.map(({ mail }) => /<html lang="([\w-]+)"/.exec(String(mail.html))?.[1])).toEqual([
    "de",
    "pt-BR",
    "pt-BR",
    "en",
  ]);
});

test("a code that proves an address may be typed into a terminal, in every language", async () => {
  await using server = await openMailServer();
  const mailer = mailerFor(server);
  const browser = { browser: undefined, system: undefined };
  const code = { id: "a1b2", address: "ann@a.test", kind: "proof_code", code: "01234567", ...browser } as const;
  for (const { language } of LANGUAGES) await mailer.send({ ...code, language });
  for (const [at, received] of (await server.untilMails(LANGUAGES.length)).entries()) {
    expect(codesIn(received)).toEqual(["01234567"]);
    expect(received.mail.text).toContain(LANGUAGES[at]?.proofWarning.replace("{server}", "handoff.test") ?? "-");
    expect(received.mail.text).toMatch(/terminal|ターミナル|الطرفية/i);
  }
});

test("over STARTTLS and TLS it logs in, and a certificate has to be trusted and for the name", async () => {
  for (const security of ["starttls", "tls"] as const) {
    await using server = await openMailServer(security);
    const { host } = server.target;
    expect(await mailerFor(server).check()).toBeUndefined();
    expect(await mailerFor(server).send(letter())).toEqual({ result: "sent" });
    expect(server.mails).toMatchObject([{ isSecure: true, user: "handoff" }]);
    const untrusted = mailerFor(server, {}, { ca: undefined });
    const reason = `The certificate of ${host} is self-signed. To trust it, set NODE_EXTRA_CA_CERTS to a file with it.`;
    expect(await untrusted.check()).toEqual({ result: "delayed", reason });
    expect(await untrusted.send(letter())).toEqual({ result: "delayed", reason });
    // Its certificate isn't for this address.
    await using elsewhere = await openMailServer(security, { hostname: "127.0.0.2" });
    const otherName = "The certificate of 127.0.0.2 is for another name.";
    expect(await mailerFor(elsewhere).check()).toEqual({ result: "delayed", reason: otherName });
    const wrong = await mailerFor(server, { password: `${MAIL_PASSWORD}!` }).check();
    expect(wrong).toMatchObject({ result: "delayed", reason: `${host} refused the login (535).` });
    expect(server.mails).toHaveLength(1);
  }
});

test("nothing is sent in the clear where TLS is wanted", async () => {
  await using server = await openMailServer("none", { disabledCommands: ["STARTTLS"] });
  const outcome = await mailerFor(server, { security: "starttls" }).send(letter());
  expect(outcome).toMatchObject({ result: "delayed", reason: "localhost offers no TLS, so nothing is sent to it." });
  const begun = await mailerFor(server, { security: "tls" }).send(letter());
  expect(begun).toMatchObject({
    result: "delayed",
    reason: expect.stringContaining("smtps:// for TLS from the start"),
  });
  expect(server.recipients()).toBe(0);
});

test("a refusal for now is tried again, one of the recipient or of the mail is not", async () => {
  await using server = await openMailServer();
  const mailer = mailerFor(server);
  const expected = { 421: "delayed", 450: "delayed", 451: "delayed", 550: "refused", 554: "refused" } as const;
  for (const [status, result] of Object.entries(expected)) {
    const said = status === "421" ? "ended the connection" : "refused the recipient";
    server.answers.push(Number(status));
    const outcome = await mailer.send(letter());
    // The reply may have the address, and is apart.
    expect({ status, outcome }).toEqual({
      status,
      outcome: {
        result,
        reason: `localhost ${said} (${status}).`,
        reply: `${status} not now`,
      },
    });
  }
  const refuse = (status: number) => Object.assign(new Error("no"), { responseCode: status });
  await using picky = await openMailServer("none", { onMailFrom: (_address, _session, done) => done(refuse(553)) });
  const reason = "localhost refused the sender's address (553).";
  expect(await mailerFor(picky).send(letter())).toMatchObject({ result: "delayed", reason });
});

test("a server that says nothing, is away, or has no name is given up in time", async () => {
  await using silent = await openMailServer("none", { onConnect: () => undefined });
  const slow = await mailerFor(silent, {}, { timeoutMs: 200 }).send(letter());
  expect(slow).toMatchObject({ result: "delayed", reason: expect.stringContaining("doesn't answer in time.") });
  await using secure = await openMailServer("tls");
  const mute = await mailerFor(secure, { security: "starttls" }, { timeoutMs: 1000 }).check();
  expect(mute?.reason).toEndWith(
    "If it speaks TLS from the start at this port, as at 465, its URL begins with smtps://.",
  );
  const unknown = await mailerFor(silent, { host: "nowhere.invalid" }).send(letter());
  expect(unknown).toMatchObject({
    result: "delayed",
    reason: "There is no mail server with the name nowhere.invalid.",
  });
  const { port } = silent;
  await silent[Symbol.asyncDispose]();
  const away = await mailerFor(silent, { port }).send(letter());
  expect(away).toMatchObject({ result: "delayed", reason: "Can't connect to localhost: nothing listens there." });
});

test("a server that drips its answer is given up in time, and its connection ends", async () => {
  const ended = Promise.withResolvers<void>();
  using server = Bun.listen<{ timer?: NodeJS.Timeout }>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open: (socket) => {
        socket.data = {};
        socket.write("220 drip\r\n");
      },
      data: (socket) => {
        socket.data.timer ??= setInterval(() => socket.write("2"), 20);
      },
      close: (socket) => {
        clearInterval(socket.data.timer);
        ended.resolve();
      },
    },
  });
  const target: Target = {
    host: "127.0.0.1",
    port: server.port,
    security: "none",
    user: undefined,
    password: undefined,
  };
  const mailer = createMailer({ server: target, from: FROM, look: () => LOOK, timeoutMs: 5000, totalMs: 300 });
  const late = { result: "delayed", reason: "127.0.0.1 takes too long." } as const;
  expect(await mailer.send(letter())).toEqual(late);
  await ended.promise;
  expect(await mailer.check()).toEqual(late);
  const stop = new AbortController();
  const patient = createMailer({ server: target, from: FROM, look: () => LOOK, timeoutMs: 5000 });
  const sending = patient.send(letter(), stop.signal);
  stop.abort();
  expect(await sending).toEqual(late);
});

test("an address or a name is never read as more than one, nor as a header", async () => {
  await using server = await openMailServer();
  const mailer = mailerFor(server);
  const odd = ["ann+x@a.test", "o'neil@a.test", "ann@bücher.test", `${"x".repeat(58)}@a.test`];
  for (const address of odd) expect(await mailer.send(letter({ address }))).toEqual({ result: "sent" });
  expect(server.mails.map(({ to }) => to)).toEqual(odd.map((address) => [address]));
  // The library of this server writes punycode as people do.
  expect(server.mails[2]?.source).toContain("ann@xn--bcher-kva.test");
  const before = server.mails.length;
  for (const address of ["ann@a.test\r\nBcc: eve@b.test", "ann@a.test,eve@b.test", "ann@a.test> <eve@b.test"]) {
    await mailer.send(letter({ address }));
  }
  await mailer.send(
    letter({ browser: "Firefox\r\nBcc: eve@b.test", codes: [{ team: "a\r\nBcc: eve@b.test", code: "01234567" }] }),
  );
  for (const { mail, to } of server.mails.slice(before)) {
    expect(to).not.toContain("eve@b.test");
    expect(mail.bcc).toBeUndefined();
  }
});

test("a notice says when in the reader's language and zone, which ID, what to do, and where it is switched off", async () => {
  await using server = await openMailServer();
  const mailer = mailerFor(server);
  const [createdAt, at] = [Date.UTC(2026, 10, 24, 8, 5), Date.UTC(2026, 10, 25, 23, 30)];
  const notice = (kind: NoticeKind, reference: string | null): Notice => {
    const of = { id: "sec_0123456789abcdef", reference, createdAt, at };
    return kind === "asked" ? { kind, ...of, ask: { id: "ask_1", words: "a b c", address: null } } : { kind, ...of };
  };
  const zone = { timeZone: "Europe/Berlin", identityId: "idn_1", offSeed: "a seed" };
  const base = { kind: "notices", id: "n1", address: "ann@a.test", more: 0, ...zone } as const;
  for (const { language } of LANGUAGES) {
    for (const kind of NOTICE_KINDS) await mailer.send({ ...base, language, notices: [notice(kind, "<OPS-{id}>")] });
    const notices = [notice("opened", null), notice("ending", null)];
    await mailer.send({ ...base, language, notices, more: 7 });
  }
  const each = NOTICE_KINDS.length + 1;
  const mails = await server.untilMails(each * LANGUAGES.length);
  for (const [index, { language, direction }] of LANGUAGES.entries()) {
    const own = mails.slice(each * index, each * index + each);
    expect(new Set(own.map(({ mail }) => mail.subject)).size).toBe(each);
    for (const [n, { mail, source }] of own.entries()) {
      const { text = "", html } = mail;
      expect(`${mail.subject}${text}`.replaceAll("<OPS-{id}>", "")).not.toMatch(/\{\w+\}|undefined/);
      expect(html).toContain(`<html lang="${language}" dir="${direction}">`);
      const kinds = NOTICE_KINDS[n] ?? "opened-ending";
      const off = `https://handoff.test/mail-off/idn_1/${kinds}/`;
      for (const said of ["abcdef", "https://handoff.test/activity", off]) {
        expect(text).toContain(said);
        expect(html).toContain(said);
      }
      expect(text.includes("<OPS-{id}>")).toBe(n < NOTICE_KINDS.length);
      if (n === NOTICE_KINDS.length) expect(text).toContain("7");
      expect(String(html)).not.toContain("<OPS");
      expect(source).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
      expect(source).not.toContain("sec_0123");
    }
  }
  expect(mails[0]?.mail.text).toContain("November 24, 2026 at 9:05 AM GMT+1");
  // A day later there.
  expect(mails[0]?.mail.text).toContain("November 26, 2026 at 12:30 AM");
});

test("a mail about an ask has its words and the proven address, of which nothing is a link or markup", async () => {
  await using server = await openMailServer();
  const mailer = mailerFor(server);
  const [createdAt, at] = [Date.UTC(2026, 10, 24, 8, 5), Date.UTC(2026, 10, 24, 10, 30)];
  const asked = (address: string | null, words = "maple river nine"): Notice => {
    const ask = { id: "ask_0123456789", words, address };
    return { kind: "asked", id: "sec_0123456789abcdef", reference: "OPS-4711", createdAt, at, ask };
  };
  const person = { timeZone: "UTC", identityId: "idn_1", offSeed: "a seed" };
  const base = { kind: "notices", id: "n1", address: "ann@a.test", more: 0, ...person } as const;
  for (const { language } of LANGUAGES) {
    await mailer.send({ ...base, language, notices: [asked("eve+x@b.test")] });
    await mailer.send({ ...base, language, notices: [asked(null)] });
  }
  const opened = { kind: "opened", id: "sec_1", reference: null, createdAt, at } as const;
  await mailer.send({ ...base, language: "en", notices: [opened, asked(null), asked("ann@a.test", "one two three")] });
  const odd = `<a href="https://b.test/">\u202e\u2066x\r\n{at}@a.test`;
  await mailer.send({ ...base, language: "en", notices: [asked(odd)] });
  const mails = await server.untilMails(2 * LANGUAGES.length + 2);
  for (const [index, texts] of LANGUAGES.entries()) {
    for (const [n, { mail, source }] of mails.slice(2 * index, 2 * index + 2).entries()) {
      expect(mail.subject).toBe(texts.approval);
      const own = n === 0 ? texts.approvalAddress.replace("{address}", "eve+x@b.test") : texts.approvalNobody;
      for (const text of [mail.text ?? "", String(mail.html)]) {
        expect(text).toContain(texts.approvalWords.replace("{words}", "maple, river, nine"));
        for (const said of [own, texts.approvalAdvice, "OPS-4711", "abcdef"]) expect(text).toContain(said);
      }
      // The page's activity, and where it is switched off.
      const urls = mail.text?.match(/https?:\S+/g) ?? [];
      expect(urls.map((url) => new URL(url).pathname.split("/").slice(0, 4))).toEqual([
        ["", "activity"],
        ["", "mail-off", "idn_1", "asked"],
      ]);
      expect(source).not.toMatch(/ask_0123|sec_0123/);
    }
  }
  expect(mails[0]?.mail.text).toContain("wait for your approval until November 24, 2026 at 10:30 AM UTC.");
  const [several, strange] = mails.slice(-2);
  // Somebody waits, whatever else there is.
  expect(several?.mail.subject).toBe("Someone waits for your approval");
  expect(several?.mail.text).toMatch(
    /maple, river, nine\n\nThey haven't proven an address\.\n\n.*\n\n.*one, two, three\n\n.* ann@a\.test\n/,
  );
  const said = "They have proven the address: �a�href=�https���b.test�����x��{at}@a.test";
  expect(strange?.mail.text).toContain(said);
  expect(strange?.mail.html).toContain(`<p>${said}</p>`);
});

test("a time zone that is no longer known is UTC, and the keys that end are listed", async () => {
  await using server = await openMailServer();
  const mailer = mailerFor(server);
  const at = Date.UTC(2026, 10, 24, 8, 5);
  const notices = [{ kind: "opened", id: "sec_1", reference: null, createdAt: at, at }] as const;
  const to = { id: "n1", address: "ann@a.test", language: "en" } as const;
  await mailer.send({
    ...to,
    kind: "notices",
    notices,
    more: 0,
    timeZone: "Mars/Base",
    identityId: "idn_1",
    offSeed: "s",
  });
  const key = { id: "key_1", identity: "ci <b>", team: "ops", expiresAt: at };
  await mailer.send({ ...to, kind: "key_ends", keys: [key, { ...key, id: "key_2" }] });
  const [first, second] = await server.untilMails(2);
  expect(first?.mail.text).toContain("8:05 AM UTC");
  expect(second?.mail.subject).toBe("2 keys for handoff.test end soon");
  for (const said of ["ci <b>", "ops", "key_1", "key_2", "November 24, 2026 at 8:05 AM UTC", "admin key rotate"]) {
    expect(second?.mail.text).toContain(said);
  }
  expect(second?.source).not.toContain("List-Unsubscribe");
});

test("a mail about a new passkey says where it was added, and what to do, in every language", async () => {
  await using server = await openMailServer();
  const mailer = mailerFor(server);
  const base = { kind: "passkey_added", id: "p1", address: "ann@a.test", browser: "Firefox", system: "Linux" } as const;
  for (const { language } of LANGUAGES) await mailer.send({ ...base, language });
  const mails = await server.untilMails(LANGUAGES.length);
  expect(new Set(mails.map(({ mail }) => mail.subject)).size).toBe(LANGUAGES.length);
  for (const { mail, source } of mails) {
    for (const said of ["handoff.test", "Firefox, Linux", "https://handoff.test/account"])
      expect(mail.text).toContain(said);
    expect(`${mail.subject}${mail.text}`).not.toMatch(/\{\w+\}|undefined/);
    // It can't be switched off.
    expect(source).not.toContain("List-Unsubscribe");
  }
});
