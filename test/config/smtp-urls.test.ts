import { expect, test } from "bun:test";
import { inspect } from "node:util";
import { SmtpUrl } from "../../src/config/smtp-urls.ts";

test("the URL of a mail server says where, how, and as whom; plain only on this machine", () => {
  const parts = (url: string) => {
    const { host, port, security, user, password } = new SmtpUrl(url).reveal() ?? {};
    return [security, host, port, user, password];
  };
  expect(parts("smtps://me:p%40ss%2F+@mail.test")).toEqual(["tls", "mail.test", 465, "me", "p@ss/+"]);
  expect(parts("smtp://me%40a.test:x@mail.test:2525/")).toEqual(["starttls", "mail.test", 2525, "me@a.test", "x"]);
  expect(parts("SMTP://mail.test")).toEqual(["starttls", "mail.test", 587, undefined, undefined]);
  for (const host of ["localhost", "LOCALHOST", "127.0.0.1", "127.1.2.3"]) {
    expect(parts(`smtp://${host}`)).toEqual(["none", host, 25, undefined, undefined]);
  }
  expect(parts("smtp://[::1]:1025")).toEqual(["none", "::1", 1025, undefined, undefined]);
  expect(parts("smtp://[2001:db8::1]")).toEqual(["starttls", "2001:db8::1", 587, undefined, undefined]);
  for (const host of ["localhost.evil.test", "127.0.0.1.evil.test", "10.0.0.1", "0.0.0.0"]) {
    expect(parts(`smtp://${host}`)[0]).toBe("starttls");
  }
});

test("what can't be read has no parts, and is never shown", () => {
  const secret = "fake-local-test-only";
  const wrong = [
    `smtps://me:a@${secret}@mail.test`,
    `smtps://me:${secret}@`,
    `smtps://me:${secret}/x@mail.test`,
    `smtps://me:%zz${secret}@mail.test`,
    `smtps://mail.test:99999?${secret}`,
    `smtps://mail.test:0`,
    `smtps://mail.test/path`,
    `smtp:me:${secret}@mail.test`,
  ];
  for (const url of [...wrong, `smtps://me:${secret}@mail.test`]) {
    const read = new SmtpUrl(url);
    expect({ url, parts: read.reveal() !== undefined }).toEqual({ url, parts: !wrong.includes(url) });
    expect(read.hasPassword).toBe(true);
    expect(`${String(read)}${JSON.stringify(read)}${inspect(read)}${Bun.inspect(read)}`).not.toContain(secret);
  }
  expect(new SmtpUrl("smtp://mail.test").hasPassword).toBe(false);
  expect(new SmtpUrl("smtp://mail.test").fault).toBeUndefined();
  const fault = (url: string) => new SmtpUrl(url).fault ?? "";
  for (const url of wrong.slice(0, 4))
    expect(fault(url)).toStartWith("the URL of the mail server can't be read: expected one");
  for (const port of [0, 65_536, 99_999]) {
    const said = "the port in the URL of the mail server has to be from 1 to 65535";
    expect(fault(`smtps://me:${secret}@mail.test:${port}`)).toBe(said);
  }
  for (const user of [secret, `${secret}:`]) {
    const url = `smtps://${user}@mail.test`;
    expect(fault(url)).toStartWith("the URL of the mail server has a user without a password: expected one such as");
    expect(`${fault(url)}${String(new SmtpUrl(url))}`).not.toContain(secret);
  }
});
