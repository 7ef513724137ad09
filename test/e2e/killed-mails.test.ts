import { expect, test } from "bun:test";
import { runExecutable } from "../support/executions.ts";
import { codesIn, openMailServer } from "../support/mail-servers.ts";
import type { ReceivedMail } from "../support/mail-servers.ts";
import { until } from "../support/polls.ts";
import { startProgram } from "../support/running.ts";
import { inDatabase } from "../support/sqlite-files.ts";
import { temporaryFolder } from "../support/temporary.ts";

const PEOPLE = ["ann@a.test", "bob@a.test"];
const HEADERS = { "sec-fetch-site": "same-origin", "content-type": "application/json" };

const factsOf = (received: ReceivedMail) => ({
  to: received.to,
  id: received.mail.messageId,
  codes: codesIn(received),
});

test("a server that is killed before it has noted its mails sends them again, as they were, and no third time", async () => {
  using folder = temporaryFolder();
  const data = ["--data-dir", folder.path];
  const asked = Promise.withResolvers<void>();
  let kill = async () => {};
  await using mailServer = await openMailServer("none", {
    // The mail is there, and the server never learns of it.
    beforeTaken: async () => {
      await asked.promise;
      await kill();
    },
  });
  const smtp = ["--smtp-url", `smtp://127.0.0.1:${mailServer.port}`, "--mail-from", "handoff@mail.test"];
  const serve = () => startProgram(["serve", "--listen", "127.0.0.1:0", ...data, ...smtp]);
  await runExecutable(["admin", "team", "create", "team", ...data]);
  for (const person of PEOPLE) await runExecutable(["admin", "person", "add", "--team", "team", person, ...data]);

  await using first = await serve();
  const cookies = new Map<string, string>();
  for (const address of PEOPLE) {
    const body = JSON.stringify({ address, language: "en" });
    const answer = await fetch(`${first.url}/app/session/mail`, { method: "POST", headers: HEADERS, body });
    cookies.set(address, answer.headers.get("set-cookie")?.split(";")[0] ?? "");
  }
  await until(() => mailServer.mails.length === PEOPLE.length);
  kill = async () => {
    first.kill("SIGKILL");
    await first.exited;
  };
  asked.resolve();
  expect(await first.exited).toBe(137);
  const sent = mailServer.mails.map(factsOf);
  expect(sent.flatMap(({ to }) => to).toSorted()).toEqual(PEOPLE);

  await using second = await serve();
  const all = (await mailServer.untilMails(2 * PEOPLE.length)).map(factsOf);
  const again = all.slice(PEOPLE.length);
  const byId = (mails: readonly ReturnType<typeof factsOf>[]) =>
    mails.toSorted((one, other) => (one.id ?? "").localeCompare(other.id ?? ""));
  expect(byId(again)).toEqual(byId(sent));
  for (const {
    to: [address = ""],
    codes: [code],
  } of again) {
    const headers = { ...HEADERS, cookie: cookies.get(address) ?? "" };
    const body = JSON.stringify({ mail: { code } });
    const answer = await fetch(`${second.url}/app/session`, { method: "POST", headers, body });
    expect(await answer.json()).toMatchObject({ address });
  }
  const queued = "SELECT count(*) AS count FROM mails";
  await until(
    () => inDatabase(folder.path, (database) => database.query<{ count: number }, []>(queued).get()?.count) === 0,
  );
  expect(mailServer.mails).toHaveLength(2 * PEOPLE.length);
}, 60_000);
