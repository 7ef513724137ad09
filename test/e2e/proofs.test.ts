import { expect, test } from "bun:test";
import { handoffCommand } from "../support/executable.ts";
import { codesIn, openMailServer } from "../support/mail-servers.ts";
import type { MailServer } from "../support/mail-servers.ts";
import { openPlace, startInTerminal } from "../support/people.ts";
import type { Person, Session } from "../support/people.ts";
import { until } from "../support/polls.ts";

const ANN = "ann@example.com";
const SCOPES = ["secrets:create", "secrets:read", "events:read", "requests:create", "requests:read", "secrets:claim"];

const openPost = ({ port }: MailServer) =>
  openPlace(["--smtp-url", `smtp://127.0.0.1:${port}`, "--mail-from", "handoff@mail.test"]);

/** A command in a terminal, and what is typed after each question. */
interface Talk extends Session {
  answer(question: string, typed: string): Promise<void>;
}

function inTerminal(person: Person, ...args: readonly string[]): Talk {
  const session = startInTerminal(person, [...handoffCommand(), ...args], [], { LC_ALL: "de_DE.UTF-8" });
  let read = 0;
  let hasEnded = false;
  void session.exited.then(() => (hasEnded = true));
  return {
    ...session,
    async answer(question, typed) {
      await until(() => hasEnded || session.screen().includes(question, read));
      if (hasEnded) throw new Error(`it ended before it asked '${question}': ${session.screen()}`);
      read = session.screen().length;
      session.type(typed);
    },
  };
}

const FOR_CODE = "Code (Enter alone to change the address): ";

/** Types a wrong code until the server takes no more of them. */
async function useUp({ answer }: Talk, wrongCode: string): Promise<void> {
  for (let tries = 0; tries < 6; tries++) await answer(FOR_CODE, `${wrongCode}\r`);
}

/** The code in the mail that comes as the `count`th. */
async function codeOf(mailServer: MailServer, count: number): Promise<string> {
  const mail = (await mailServer.untilMails(count))[count - 1];
  expect(mail?.to).toEqual([ANN]);
  // In the language of the terminal.
  expect(mail?.mail.text).toContain("in dem Terminal, in dem Sie den Link verwenden");
  return (mail && codesIn(mail)[0]) ?? "";
}

const wrong = (code: string) => (code === "00000000" ? "00000001" : "00000000");

test("a person opens a secret that is for them by a code, and nobody else does or uses it up", async () => {
  await using mailServer = await openMailServer();
  await using place = await openPost(mailServer);
  const sender = await place.member("sender", SCOPES);
  const sent = await sender.run(["send", "--for", ANN], { stdin: "for Ann alone" });
  expect(sent.stderr).toContain(`The secret can be opened once by ${ANN} until `);
  const link = sent.stdout.trim();
  const [id = ""] = /sec_\w+/.exec(link) ?? [];

  // Somebody who has the link, and isn't chosen: no code comes, and Ctrl-C leaves all as it was.
  const mallory = place.person("mallory");
  const other = inTerminal(mallory, "open", "--yes", link);
  await other.untilShown("This is for a…@example.com. A code that comes by mail proves who you are.");
  await other.answer("Your address: ", "mallory@example.com\r");
  await other.untilShown("If it's for mallory@example.com, a code is on its way there.");
  await useUp(other, "12345678");
  await other.answer("Send a new code to mallory@example.com? [Y/n] ", "\x03");
  expect(await other.exited).toBe(130);
  expect(other.screen()).not.toContain("for Ann alone");
  expect(mallory.files()).toEqual([]);

  // Where no one can be asked, and for an agent or a script, it is an error with what to do.
  const script = await mallory.run(["open", "--yes", "--json", link]);
  expect({ ...script, stderr: JSON.parse(script.stderr).error }).toMatchObject({
    exitCode: 1,
    stdout: "",
    stderr: { code: "proof_required", message: expect.stringContaining("handoff login --browser") },
  });
  expect(await sender.must(["list"])).toContain("0/1");
  expect(mailServer.mails).toHaveLength(0);

  const ann = place.person("ann");
  const session = inTerminal(ann, "open");
  await session.answer("Link: ", `${link}\r`);
  await session.answer("[y/N] ", "y\r");
  await session.answer("Your address: ", "ann\r");
  await session.answer("That isn't an address. One looks like ann@example.com.", `${ANN}\r`);
  const code = await codeOf(mailServer, 1);
  await session.answer(FOR_CODE, `${wrong(code)}\r`);
  await session.answer(
    "This code is wrong. Type the one from the latest mail.",
    `${code.slice(0, 4)} ${code.slice(4)}\r`,
  );
  expect(await session.exited).toBe(0);
  expect(session.screen()).toEndWith("\r\nfor Ann alone\r\n");
  expect(ann.files()).toEqual([]);

  const status = await sender.must(["status", id]);
  expect(status).toContain(`\nFor: ${ANN}\n`);
  expect(status).toMatch(
    /refused a proof of mallory@example\.com\n(.*\n)*.* opened by ann@example\.com, who proved it$/,
  );
  const events = (await sender.must(["events"])).split("\n");
  expect(events).toContainEqual(
    expect.stringMatching(/secret\.proof_refused sec_\w+ link:mallory@example\.com - evt_/),
  );
  expect(events).toContainEqual(expect.stringMatching(/secret\.claimed sec_\w+ address:ann@example\.com - evt_/));
}, 60_000);

test("a code that is over is sent anew, and only chosen people hand in", async () => {
  await using mailServer = await openMailServer();
  await using place = await openPost(mailServer);
  const asker = await place.member("asker", SCOPES);
  const asked = await asker.run(["request", "--for", "*@example.com", "--json"]);
  const { url, id, for: chosen } = JSON.parse(asked.stdout);
  expect(chosen).toEqual(["*@example.com"]);
  const refused = await place.person("script").run(["submit", url], { stdin: "typed by a stranger" });
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("This is for *@example.com.") });

  const ann = place.person("ann");
  const session = inTerminal(ann, "submit", url);
  await session.answer("Your address: ", `${ANN}\r`);
  await useUp(session, wrong(await codeOf(mailServer, 1)));
  await session.answer(`Send a new code to ${ANN}? [Y/n] `, "\r");
  await session.answer(FOR_CODE, `${await codeOf(mailServer, 2)}\r`);
  await session.answer("Secret (not shown): ", "from Ann\r");
  expect(await session.exited).toBe(0);
  expect(await asker.must(["collect", id])).toBe("from Ann");
  expect((await asker.must(["events"])).split("\n")).toContainEqual(
    expect.stringMatching(/secret\.created sec_\w+ address:ann@example\.com - evt_/),
  );
}, 60_000);
