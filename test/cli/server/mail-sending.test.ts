import { expect, test } from "bun:test";
import { startMails } from "../../../src/cli/server/mail-sending.ts";
import { beginMailSignIn } from "../../../src/domain/signing-in/mail-codes.ts";
import { invitePerson } from "../../../src/domain/signing-in/persons.ts";
import { createTeam } from "../../../src/domain/teams.ts";
import { createMailer } from "../../../src/mail/mailer.ts";
import { openMailServer } from "../../support/mail-servers.ts";
import { startTestServer } from "../../support/server.ts";

const LOOK = { baseUrl: "https://handoff.test", name: "handoff", accent: { light: "#14563f", dark: "#7cd3b1" } };

test("the log has each try of a mail with its reason, and a mail whose time is over is no try", async () => {
  await using target = await openMailServer();
  await using server = await startTestServer({ policy: { signInWays: ["link", "mail"] } });
  const { service, clock } = server.backend;
  const told: [fields: object, message: string][] = [];
  const write = (fields: object, message: string) => void told.push([fields, message]);
  const from = { name: "", address: "handoff@mail.test" };
  const open = async () => createMailer({ server: target.target, from, look: () => LOOK });
  const mails = startMails(service, { open, contact: undefined }, { info: write, warn: write, error: write });
  await createTeam(service, "team");
  await invitePerson(service, { team: "team", address: "ann@a.test" });
  const ask = () => beginMailSignIn(service, { address: "ann@a.test", language: "en", browser: null, system: null });
  target.answers.push(450, 550);
  await ask();
  await mails.settle();
  clock.advance(600_000);
  await mails.settle();
  await ask();
  await mails.settle();
  await mails.stop();
  const mail = { mail: expect.stringMatching(/^[\da-f]{32}$/), kind: "sign_in_code" };
  expect(told).toEqual([
    [{ ...mail, tries: 1, reason: "localhost refused the recipient (450)." }, "mail not sent, and tried again"],
    [{ ...mail, tries: 1, reason: "Its time is over." }, "mail given up"],
    [{ ...mail, tries: 1, reason: "localhost refused the recipient (550)." }, "mail given up"],
  ]);
});
