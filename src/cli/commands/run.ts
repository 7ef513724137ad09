import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { addConnectionFlags, type ConnectionFlags } from "../connections.ts";
import type { Payload } from "../../crypto/payloads.ts";
import { handoverOfLink, inspect, takeSecret, type TakenPayload } from "../handovers.ts";
import { reasonOf } from "../private-files.ts";
import { collect } from "../setting-options.ts";
import { CommandError, type Terminal, usageError } from "../terminal.ts";

interface RunFlags extends ConnectionFlags {
  readonly env?: readonly string[];
  readonly passphraseFile?: string;
}

/** A variable, and the file with the link to the secret that it is to hold. */
interface Variable {
  readonly name: string;
  readonly linkFile: string;
}

/** `handoff run` */
export function addRun(program: Command, terminal: Terminal, exitWith: (code: number) => void): void {
  addConnectionFlags(program.command("run"))
    .argument("<command...>", "The command and its arguments, after '--'.")
    .description("Start a command with secrets in its environment, and nowhere else.")
    .option(
      "--env <name=@file>",
      "Open the link in the file and put the secret into this variable; may be repeated.",
      collect,
    )
    .option("--passphrase-file <file>", "Take the passphrase of the links from the first line of a file.")
    .passThroughOptions()
    .addHelpText(
      "after",
      `
Example:
  handoff run --env DATABASE_PASSWORD=@db.link -- ./deploy.sh production

One line end at the end of a secret is left out, as the shell does. The exit code is that of the command.`,
    )
    .action(async (command: string[], flags: RunFlags) => exitWith(await run(terminal, command, flags)));
}

async function run(terminal: Terminal, command: readonly string[], flags: RunFlags): Promise<number> {
  const variables = (flags.env ?? []).map(parseVariable);
  if (variables.length === 0) throw usageError("give at least one --env NAME=@FILE");
  const program = Bun.which(command[0] ?? "", { PATH: terminal.env["PATH"] ?? "" });
  // Before anything is used up.
  if (!program) throw usageError(`there is no command '${command[0]}'`);
  const signal = terminal.interruptible();
  const taken: TakenPayload[] = [];
  const secrets: Record<string, string> = {};
  for (const { name, linkFile } of variables) {
    const handover = await handoverOfLink(terminal, flags, readLinkFile(linkFile), signal);
    await inspect(terminal, handover);
    const each = await takeSecret(terminal, handover);
    secrets[name] = toValue(name, each.payload);
    taken.push(each);
  }
  const child = start(terminal, [program, ...command.slice(1)], secrets);
  // Not before the command has them: if it cannot be started, the same call can be made again.
  for (const each of taken) await each.acknowledge();
  return child.exited;
}

function start(terminal: Terminal, command: readonly string[], secrets: Readonly<Record<string, string>>) {
  try {
    const child = Bun.spawn([...command], {
      env: { ...terminal.env, ...secrets },
      stdio: ["inherit", "inherit", "inherit"],
    });
    terminal.forwardSignals((signal) => child.kill(signal));
    return child;
  } catch (error) {
    throw new CommandError(`the command cannot be started: ${reasonOf(error)}. Nothing is lost: try again`);
  }
}

function parseVariable(text: string): Variable {
  const [, name, linkFile] = /^([A-Za-z_][A-Za-z0-9_]*)=@(.+)$/.exec(text) ?? [];
  if (name === undefined || linkFile === undefined) {
    throw usageError(
      "--env: expected NAME=@FILE, where FILE holds the link; the link itself does not belong on a command line",
    );
  }
  return { name, linkFile };
}

function readLinkFile(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    throw usageError(`'${path}' cannot be read: ${reasonOf(error)}`);
  }
}

/** What the variable is to hold. Throws CommandError when the secret is not text that an environment can hold. */
function toValue(name: string, payload: Payload): string {
  if (payload.kind !== "text" || payload.text.includes("\0")) {
    throw new CommandError(`the secret for ${name} is not text, and an environment variable holds nothing else`);
  }
  return payload.text.replace(/\r?\n$/, "");
}
