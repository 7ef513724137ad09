import { expect, test } from "bun:test";
import { join } from "node:path";
import { startAgent } from "../support/agents.ts";
import { errorOf } from "../support/clients.ts";
import { handoffCommand } from "../support/executable.ts";
import { UNLIMITED } from "../support/executions.ts";
import { openPlace, startInTerminal } from "../support/people.ts";
import type { Person, Place } from "../support/people.ts";
import { freePort } from "../support/ports.ts";
import { startProgram } from "../support/running.ts";

const SCOPES = ["secrets:create", "secrets:read", "secrets:approve", "events:read"];
const inTerminal = (person: Person, ...args: readonly string[]) =>
  startInTerminal(person, [...handoffCommand(), ...args]);

/** A sender of a secret that they have to let somebody open, its link, and a recipient without anything else. */
async function setUp(place: Place) {
  const sender = await place.member("sender", SCOPES);
  const send = async () => {
    const { stdout, stderr } = await sender.run(["send", "--approval", "sender"], { stdin: "for one alone" });
    expect(stderr).toContain("A recipient who opens it waits until you decide, with: handoff approve --wait");
    return stdout.trim();
  };
  /** The last ask, once `count` wait. */
  const asked = async (count = 1) => {
    for (;;) {
      const asks = JSON.parse(await sender.must(["approve", "--wait", "--json"]));
      if (asks.length >= count) return asks[count - 1];
    }
  };
  return { sender, recipient: place.person("recipient"), send, asked };
}

test("opening waits through a restart of the server, and goes on when the sender lets it in", async () => {
  const port = freePort();
  const listen = ["--listen", `127.0.0.1:${port}`];
  await using place = await openPlace(listen);
  const { sender, recipient, send, asked } = await setUp(place);
  const opening = inTerminal(recipient, "open", "--yes", await send());
  const ask = await asked();
  await opening.untilShown(`The sender has to let you in. Your words: ${ask.words.join(", ")}\r\n`);
  place.server.kill("SIGKILL");
  await place.server.exited;
  const data = join(place.folder, "data");
  await using again = await startProgram(["serve", "--data-dir", data, ...listen, ...UNLIMITED]);
  expect(again.url).toBe(place.server.url);
  const deciding = inTerminal(sender, "approve");
  await deciding.untilShown("Let them in? [y/n, or Enter to decide later] ");
  expect(deciding.screen()).toContain(`Words: ${ask.words.join(", ")}. Until `);
  deciding.type("y\r");
  expect([await deciding.exited, await opening.exited]).toEqual([0, 0]);
  expect(opening.screen()).toEndWith("\r\nfor one alone\r\n");
  expect(recipient.files()).toEqual([]);
  const [, , claimed] = (await sender.must(["events", "--type", "secret.claimed"])).split(" ");
  expect(claimed).toBe(ask.secret_id);
}, 120_000);

test("what is refused, interrupted or killed uses nothing up, and the next run goes on or asks anew", async () => {
  await using place = await openPlace();
  const { sender, recipient, send, asked } = await setUp(place);
  const link = await send();
  const [id = ""] = /sec_\w+/.exec(link) ?? [];
  const command = ["open", "--yes"];
  const refused = recipient.run(command, { stdin: link });
  await sender.must(["approve", (await asked()).id.slice(-6), "--refuse"]);
  expect(await refused).toMatchObject({
    exitCode: 1,
    stdout: "",
    stderr: expect.stringContaining("\nhandoff: Opening this secret was refused. It wasn't opened."),
  });
  const interrupted = inTerminal(recipient, ...command, link);
  // It keeps the ask before it shows the words. What ends earlier leaves an ask behind that no other run goes on with.
  await interrupted.untilShown("Your words: ");
  interrupted.type("\x03");
  expect(await interrupted.exited).toBe(130);
  const killed = inTerminal(recipient, ...command, link);
  await killed.untilShown("Your words: ");
  killed.kill("SIGKILL");
  expect(await killed.exited).toBe(137);
  expect(await sender.must(["list"])).toContain("0/1");
  expect(recipient.files()).toEqual([expect.stringContaining("/asks/sec_")]);
  const again = recipient.run(command, { stdin: link });
  // It goes on with the ask of the two before.
  await sender.must(["approve", (await asked()).id]);
  expect(await again).toMatchObject({ exitCode: 0, stdout: "for one alone" });
  expect(await sender.must(["status", id])).toMatch(/ let in with an API key \(idn_\w+\): \w+, \w+, \w+\n.* opened /);
  expect(recipient.files()).toEqual([]);
}, 120_000);

test("an agent waits for a person, and has no tool to decide", async () => {
  await using place = await openPlace();
  const { sender, send, asked } = await setUp(place);
  const link = await send();
  const person = await place.member("agent", [...SCOPES, "secrets:claim"]);
  await using agent = await startAgent(person, ["--allow-run", "--allow-plaintext"]);
  const { tools } = await agent.client.listTools();
  expect(tools.filter(({ name }) => /approv|decide|ask(?!_|s for)|refuse/.test(name))).toEqual([]);
  for (const name of ["approve", "approve_ask", "decide_ask"]) {
    // Bun's own assertion about a rejection runs the event loop inside of itself, and a later wait may then never end.
    const refused = await errorOf(agent.client.callTool({ name, arguments: {} }));
    expect(String(refused)).toContain("There is no such tool");
  }
  const first = await agent.refusal("open_to_file", { url: link, path: "secret.pem", timeout_seconds: 0 });
  const ask = await asked();
  expect(first).toContain(`The words: ${ask.words.join(", ")}.`);
  // As a command of an agent could, with its own key. The sender alone decides.
  expect(await person.run(["approve", ask.id])).toMatchObject({ exitCode: 4 });
  const opening = agent.must("open_to_file", { url: link, path: "secret.pem" });
  await sender.must(["approve", ask.id]);
  expect(await opening).toMatchObject({ bytes: "for one alone".length });
  expect(agent.traffic()).not.toContain("for one alone");
  const sent = await agent.must("send_text", { text: "from the agent", approval: "team" });
  expect(await sender.must(["status", sent.id])).toContain("Approval: by somebody else of the sender's team");
}, 120_000);
