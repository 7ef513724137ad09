import { expect, test } from "bun:test";
import { handoffCommand } from "../support/executable.ts";
import { sendLocked } from "../support/foreign-secrets.ts";
import { runInTerminal, shareServer, startInTerminal } from "../support/people.ts";
import type { Person, Place } from "../support/people.ts";
import { until } from "../support/polls.ts";

const openPlace = shareServer();

const WORD = "a passphrase of this test";

/** Calls that prompt, and the end of each prompt. */
async function makeCalls(place: Place, ann: Person) {
  const link = await ann.must(["send"], { stdin: "the text" });
  const locked = await sendLocked(place, { kind: "text", text: "the text" }, WORD);
  return [
    { args: ["login", "--url", "http://127.0.0.1:1"], asks: "(not shown): " },
    { args: ["open", link], asks: "[y/N] " },
    { args: ["open", "--yes", locked], asks: "(not shown): " },
    { args: ["open"], asks: "Link: " },
  ];
}

const ENDS = ["SIGINT", "SIGTERM", "SIGHUP", "Ctrl-C", "Ctrl-D"] as const;

test("at a prompt one signal, or one key, ends the command and restores the terminal", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  // Of an unchanged terminal: a command may have changed its own before the comparison.
  const untouched = startInTerminal(ann, ["true"]);
  const before = untouched.modes();
  await untouched.exited;
  for (const { args, asks } of await makeCalls(place, ann)) {
    for (const end of ENDS) {
      const session = startInTerminal(ann, [...handoffCommand(), ...args]);
      await session.untilShown(asks);
      // The terminal's settings change after the prompt is shown.
      await until(() => session.modes().local !== before.local);
      if (end === "Ctrl-C") session.type("\x03");
      else if (end === "Ctrl-D") session.type("\x04");
      else session.kill(end);
      const exitCode = await session.exited;
      expect({ args, end, exitCode, modes: session.modes() }).toEqual({ args, end, exitCode: 130, modes: before });
      expect(session.screen()).toContain("handoff: interrupted\r\n");
    }
  }
  expect(
    (await ann.must(["list", "--state", "available"])).split("\n").filter((line) => line.includes("sec_")),
  ).toHaveLength(2);
}, 60_000);

/** Runs `command` in an interactive bash, types `answers`, and resolves with the whole output. */
async function inShell(
  person: Person,
  command: string,
  answers: readonly (readonly [string, string])[],
): Promise<string> {
  const [executable = ""] = handoffCommand();
  const steps = [["READY> ", `${command}\r`] as const, ...answers, ["READY> ", "exit\r"] as const];
  const shell = ["bash", "--norc", "--noprofile", "-i"];
  const session = startInTerminal(person, shell, steps, { handoff: executable, PS1: "READY> " });
  await session.exited;
  return session.screen();
}

test("Ctrl-Z stops the command at a prompt, and fg restores the prompt with the typed text", async () => {
  await using place = await openPlace();
  const ann = place.person("ann");
  const key = await place.mint();
  const hidden = await inShell(ann, `"$handoff" login --url ${place.server.url}`, [
    ["(not shown): ", `${key.slice(0, 10)}\x1a`],
    ["READY> ", "fg\r"],
    ["(not shown): ", `${key.slice(10)}\r`],
  ]);
  expect(hidden).toContain("Stopped");
  expect(hidden).not.toContain(key.slice(0, 10));
  expect(hidden).not.toContain(key.slice(10));
  expect((await ann.run(["whoami"])).exitCode).toBe(0);

  const link = await ann.must(["send"], { stdin: "the text of this test" });
  const shown = await inShell(ann, '"$handoff" open', [
    ["Link: ", link.slice(0, 60)],
    [link.slice(50, 60), "\x1a"],
    ["READY> ", "fg\r"],
    [`Link: ${link.slice(0, 60)}`, `${link.slice(60)}\r`],
    ["[y/N] ", "\x1a"],
    ["READY> ", "fg\r"],
    ["[y/N] ", "y\r"],
  ]);
  expect(shown.match(/Stopped/g)).toHaveLength(2);
  expect(shown).toContain("the text of this test");
}, 60_000);

test("text typed after a prompt is left to the next command", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const link = await sendLocked(place, { kind: "text", text: "the text" }, WORD);
  await Bun.write(`${ann.home}/link`, link);
  const command = [
    "sh",
    "-c",
    'stty -a | grep -ow -- "-*icanon"; echo ready; read a; echo "got $a"; read b; echo "then $b"',
  ];
  const { exitCode, screen } = await runInTerminal(
    ann,
    ["run", "--env", "S=@link", "--", ...command],
    [
      ["(not shown): ", `wrong\r`],
      ["(not shown): ", `${WORD}\r`],
      ["ready", "one\r"],
      ["got one", "two\r"],
    ],
  );
  expect(screen).toContain("\r\nicanon\r\n");
  expect({ exitCode, screen }).toEqual({ exitCode: 0, screen: expect.stringMatching(/got one\r\n[^]*then two\r\n$/) });
  expect(screen).not.toContain(WORD);
}, 30_000);

test("Ctrl-Z does nothing where no shell could restore the prompt", async () => {
  await using place = await openPlace();
  const ann = place.person("ann");
  const { exitCode, screen } = await runInTerminal(
    ann,
    ["login", "--url", place.server.url],
    [
      ["(not shown): ", "\x1a"],
      ["(not shown): ", `${await place.mint()}\r`],
    ],
  );
  expect({ exitCode, screen }).toEqual({ exitCode: 0, screen: expect.stringContaining("Logged in") });
}, 30_000);
