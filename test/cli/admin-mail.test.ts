import { expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SmtpUrl } from "../../src/config/smtp-urls.ts";
import { openMailServer } from "../support/mail-servers.ts";
import { manualBlock, manualText } from "../support/manual.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { runHere } from "../support/terminals.ts";

const FROM = { HANDOFF_MAIL_FROM: "Handoff <handoff@mail.test>", HANDOFF_BASE_URL: "https://handoff.test" };
const SECRET = "fake-local-test-only";

test("a test mail is sent at once, and what goes wrong is said with the answer of the mail server", async () => {
  await using server = await openMailServer();
  const env = { HANDOFF_SMTP_URL: `smtp://localhost:${server.port}`, ...FROM };
  const sent = await runHere(["admin", "mail", "test", "ann@a.test"], env);
  expect(sent).toMatchObject({ exitCode: 0, stdout: "localhost took the mail.\n" });
  expect(server.mails).toMatchObject([{ to: ["ann@a.test"], from: "handoff@mail.test" }]);
  expect(server.mails[0]?.mail.subject).toBe("Test mail of handoff.test");
  server.answers.push(550, 550);
  const refused = await runHere(["admin", "mail", "test", "ann@a.test"], env);
  const text = "Not sent: localhost refused the recipient (550).\nIt said: 550 not now\n";
  expect(refused).toMatchObject({ exitCode: 1, stdout: text });
  const { stdout } = await runHere(["admin", "mail", "test", "ann@a.test", "--json"], env);
  const reason = "localhost refused the recipient (550).";
  expect(JSON.parse(stdout)).toEqual({ result: "refused", reason, reply: "550 not now" });
  for (const [address, complaint] of [["ann", "expected a mail address"]] as const) {
    expect((await runHere(["admin", "mail", "test", address], env)).stderr).toContain(complaint);
  }
  expect((await runHere(["admin", "mail", "test", "ann@a.test"], {})).stderr).toContain(
    "Set HANDOFF_SMTP_URL and --mail-from",
  );
  await server[Symbol.asyncDispose]();
  const away = await runHere(["admin", "mail", "test", "ann@a.test", "--json"], env);
  // Nothing tries it again.
  expect(JSON.parse(away.stdout)).toMatchObject({
    result: "failed",
    reason: "Can't connect to localhost: nothing listens there.",
  });
  const help = await runHere(["admin", "mail", "test", "--help"], {});
  const flags = [...help.stdout.matchAll(/^ {2}(?:-\w, )?--([a-z-]+)/gm)].map(([, flag]) => flag);
  const ofMail = ["smtp-url", "smtp-url-file", "mail-from", "base-url", "brand-name", "brand-color", "config"];
  expect(flags.filter((flag) => !["json", "help", "quiet", "color"].includes(flag ?? ""))).toEqual(ofMail);
});

test("'admin check' connects to the mail server, and says what is wrong with it", async () => {
  using folder = temporaryFolder();
  const check = async (url: string) => {
    const env = { HANDOFF_SMTP_URL: url, ...FROM, HANDOFF_BASE_URL: "http://127.0.0.1:1", HOME: folder.path };
    const { stdout } = await runHere(["admin", "check", "--json", "--data-dir", folder.path], env);
    const findings: readonly { check: string; level: string; text: string }[] = JSON.parse(stdout);
    expect(stdout).not.toContain(SECRET);
    return findings.find((each) => each.check === "mail");
  };
  await using plain = await openMailServer();
  const text = `localhost takes the connection at port ${plain.port}. Whether it takes the sender's address, only a mail shows: handoff admin mail test ADDRESS`;
  expect(await check(`smtp://localhost:${plain.port}`)).toEqual({ check: "mail", level: "ok", text });
  await using secure = await openMailServer("tls");
  expect(await check(`smtps://handoff:${SECRET}@localhost:${secure.port}`)).toEqual({
    check: "mail",
    level: "failed",
    text: "The certificate of localhost is self-signed. To trust it, set NODE_EXTRA_CA_CERTS to a file with it. Codes to sign in can't be sent.",
  });
  expect((await check("smtp://localhost:1"))?.text).toStartWith("Can't connect to localhost: nothing listens there.");
});

test("settings for mail that don't belong together are refused with a sentence, and no user or password is shown", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "smtp-url");
  writeFileSync(file, `smtps://me:${SECRET}@mail.test\n`, { mode: 0o600 });
  const url = `smtps://me:${SECRET}@mail.test`;
  const from = { HANDOFF_MAIL_FROM: "handoff@mail.test" };
  const cases: readonly (readonly [Readonly<Record<string, string>>, readonly string[], string])[] = [
    [{ HANDOFF_SMTP_URL: url }, [], "HANDOFF_SMTP_URL is set, but HANDOFF_MAIL_FROM is not: set it to"],
    [from, [], "HANDOFF_MAIL_FROM is set, but no mail server is"],
    [{ ...from, HANDOFF_SMTP_URL: url }, ["--smtp-url-file", file], "are both set"],
    [from, ["--smtp-url", url], "--smtp-url has a user in it"],
    [from, ["--smtp-url-file", url], "isn't expected here"],
    [{ ...from, HANDOFF_SMTP_URL: `smtps://me:${SECRET}@` }, [], "the URL of the mail server can't be read"],
    [{ ...from, HANDOFF_SMTP_URL: `smtps://${SECRET}@mail.test` }, [], "has a user without a password"],
    [{ ...from, HANDOFF_SMTP_URL: `smtps://me:${SECRET}@mail.test:99999` }, [], "has to be from 1 to 65535"],
    [{ ...from, HANDOFF_SMTP_URL: `smtps://me:a@${SECRET}@mail.test` }, [], "can't be read"],
    [{ ...from, HANDOFF_SMTP_URL: `https://me:${SECRET}@mail.test` }, [], "expected a URL such as smtps://"],
    [{}, ["--sign-in-domain", "a.test=ops"], "lets people sign in by mail, which is off"],
    [from, ["--smtp-url-file", file, "--sign-in-domain", "a.test=ops", "--sign-in", "link"], "which is off"],
    [from, ["--smtp-url-file", file, "--sign-in-domain", "ops"], "expected a domain and the name or id of a team"],
    [{ HANDOFF_MAIL_FROM: "a@b.test, c@d.test" }, ["--smtp-url-file", file], "expected a mail address such as"],
  ];
  for (const [env, flags, complaint] of cases) {
    const { exitCode, stderr } = await runHere(["serve", "--check", ...flags], env);
    expect({ flags, env, exitCode, said: stderr.includes(complaint) ? complaint : stderr }).toEqual({
      flags,
      env,
      exitCode: 2,
      said: complaint,
    });
    expect(stderr).not.toContain(SECRET);
  }
  const flags = ["--smtp-url-file", file, "--sign-in-domain", "a.test=ops"];
  expect(await runHere(["serve", "--check", ...flags], from)).toMatchObject({ exitCode: 0 });
  const shown = await runHere(["config"], { ...from, HANDOFF_SMTP_URL: url });
  expect(shown.stdout).toContain('smtp-url = "smtps://mail.test:465"');
  expect(shown.stdout).not.toContain(SECRET);
  chmodSync(file, 0o644);
  expect((await runHere(["serve", "--check", ...flags], from)).stderr).toContain("Others can read or change");
});

test("the manual's lines for mail send a mail, and its URLs can be read", async () => {
  await using server = await openMailServer();
  const block = manualBlock("mail", "admin mail test");
  const urls = Array.from(manualText("mail").matchAll(/^HANDOFF_SMTP_URL=(.*)$/gm), ([, url = ""]) => url);
  expect(urls.map((url) => new SmtpUrl(url).reveal()?.security)).toEqual(["tls", "none", "starttls", "starttls"]);
  const [, from = ""] = /^HANDOFF_MAIL_FROM=(.*)$/m.exec(block) ?? [];
  const [, command = ""] = /^handoff (admin mail test .*)$/m.exec(block) ?? [];
  const env = { HANDOFF_SMTP_URL: `smtp://localhost:${server.port}`, HANDOFF_MAIL_FROM: from };
  expect(await runHere(command.split(" "), env)).toMatchObject({ exitCode: 0 });
  expect(server.mails.map(({ mail, to }) => [mail.from?.text, to])).toEqual([
    ['"Handoff" <handoff@example.com>', ["ann@example.com"]],
  ]);
  const serve = /^handoff (serve .*)$/m.exec(manualBlock("mail", "--sign-in-domain"))?.[1] ?? "";
  expect(await runHere([...serve.split(" "), "--check"], env)).toMatchObject({ exitCode: 0 });
});
