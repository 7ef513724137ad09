import { expect, test } from "bun:test";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openPerson, startInTerminal } from "../support/people.ts";
import type { Person } from "../support/people.ts";
import { temporaryFolder } from "../support/temporary.ts";

const PROMPT = "READY> ";

/** An interactive shell without its user's settings, and the text that sets its prompt. */
// In two parts, so that the typed line does not match the prompt itself.
const SHELLS = {
  bash: { command: ["bash", "--norc", "--noprofile", "-i"], setUp: "PS1='READY''> '" },
  zsh: { command: ["zsh", "-f", "-i"], setUp: "PS1='READY''> '" },
  fish: { command: ["fish", "--no-config", "-i"], setUp: "function fish_prompt; echo 'READY''> '; end" },
} as const;

/** A typed line, and the arguments that the program is then called with. */
const LINES: readonly (readonly [typed: string, called: string])[] = [
  ["handoff stat\t", "status"],
  ["handoff admin key ro\t", "admin key rotate"],
  ["handoff send --pass\t", "send --passphrase"],
  ["handoff send prec\t", "send precious.txt"],
  ["handoff send other prec\t", "send other precious.txt"],
  ["handoff open --ident\tprec\t", "open --identity precious.txt"],
  ["handoff send --passphrase-file=prec\t", "send --passphrase-file=precious.txt"],
  ["handoff run --env NAME=@prec\t", "run --env NAME=@precious.txt"],
  ["handoff run --env NAME=@fold\tinn\t", "run --env NAME=@folder/inner.txt"],
  ["handoff send 'two w\t", "send two words.txt"],
  ["handoff list prec\t", "list prec"],
  ["handoff status prec\t", "status prec"],
  ["handoff list --state wa\t", "list --state waiting"],
  // After a blank, and from the database.
  ["handoff admin team show \t", "admin team show platform"],
  ["handoff admin key create --scope events:read,requests:c\t", "admin key create --scope events:read,requests:create"],
];

/** A user with files, whose PATH begins with a program that has our name and records its calls. */
async function openUser(home: string): Promise<Person> {
  const person = openPerson(home, {
    PATH: `${join(home, "bin")}:${process.env["PATH"]}`,
    HANDOFF_DATA_DIR: join(home, "data"),
  });
  await person.must(["admin", "team", "create", "platform", "--yes"]);
  for (const name of ["precious.txt", "folder/inner.txt", "two words.txt"]) await Bun.write(join(home, name), "");
  const stub = join(home, "bin/handoff");
  await Bun.write(stub, '#!/bin/sh\n[ "$1" != complete ] && echo "$*" >> "$HOME/calls"\n');
  chmodSync(stub, 0o755);
  return person;
}

for (const shell of ["bash", "zsh", "fish"] as const) {
  test(`${shell} completes commands, flags and files with the program that printed the script`, async () => {
    using folder = temporaryFolder();
    const ann = await openUser(folder.path);
    await Bun.write(join(folder.path, "script"), await ann.must(["completion", shell]));
    const { command, setUp } = SHELLS[shell];
    // Sourced twice, as when a shell reads its files again.
    const lines = ["source ./script; source ./script", ...LINES.map(([typed]) => typed), "exit"];
    const session = startInTerminal(
      ann,
      command,
      lines.map((line) => [PROMPT, `${line}\r`] as const),
    );
    session.type(`${setUp}\r`);
    await session.exited;
    const calls = readFileSync(join(folder.path, "calls"), "utf8").split("\n");
    expect(calls.map((call) => call.trim()).slice(0, -1)).toEqual(LINES.map(([, called]) => called));
    expect(session.screen()).not.toMatch(/readonly|command not found|not available|error/i);
  }, 30_000);
}

test("three shells are completed, and the typed line appears in no list of processes", async () => {
  using folder = temporaryFolder();
  const ann = openPerson(folder.path);
  expect((await ann.run(["completion", "tcsh"])).exitCode).toBe(2);
  const asked = (...words: readonly string[]) => ann.must(["complete"], { stdin: `${words.join("\n")}\n` });
  expect(await asked("completion", "")).toBe("bash\nzsh\nfish\n:nothing");
  expect(await asked("help", "admin", "key", "ro")).toMatch(/^rotate\t[^\n]*\n:nothing$/);
  expect(await asked("serve", "--tls-cert", "")).toBe(":files 0");
  // A name that a shell would have to quote is completed by its ID. Without a database nothing is completed, and none
  // is created.
  const env = { HANDOFF_DATA_DIR: join(folder.path, "data") };
  const inData = (...words: readonly string[]) => ann.must(["complete"], { stdin: `${words.join("\n")}\n`, env });
  expect(await inData("admin", "team", "show", "")).toBe(":nothing");
  expect(ann.files()).toEqual([]);
  const id = await ann.must(["admin", "team", "create", "ops team", "--yes"], { env });
  expect(await inData("admin", "team", "show", "")).toBe(`${id}\tops team\n:nothing`);
  const key = ["admin", "key", "create", "--team", id, "--identity", "deploy", "--scope", "all"];
  await ann.must(key, { env });
  expect(await inData("admin", "key", "revoke", "key_")).toMatch(/^key_\w+\tdeploy hak_.+\n:nothing$/);
  expect(await asked("open", "http://127.0.0.1/s/sec_0#1.")).toBe(":nothing");
  expect(await asked("run", "--env", "A=@x", "--", "./de")).toBe(":files 0");
});
