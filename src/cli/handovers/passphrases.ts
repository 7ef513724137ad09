import type { Command } from "commander";
import { readTextFile } from "../files/text-files.ts";
import { readVariable } from "../files/variables.ts";
import { usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The flags that give a passphrase. */
export interface PassphraseFlags {
  readonly passphraseFile?: string;
  readonly passphraseEnv?: string;
}

/** Adds the flags that give the passphrase of `what`. */
export function addPassphraseFlags(command: Command, what: string): Command {
  return command
    .option("--passphrase-file <file>", `Take the passphrase of ${what} from the first line of a file.`)
    .option("--passphrase-env <name>", `Take the passphrase of ${what} from this environment variable.`);
}

/** True when the flags give a passphrase. */
export function hasPassphrase({ passphraseFile, passphraseEnv }: PassphraseFlags): boolean {
  return passphraseFile !== undefined || passphraseEnv !== undefined;
}

/**
 * The passphrase that the flags give; undefined when they give none. Throws CommandError when it is empty or can't be
 * read.
 */
export async function findPassphrase(
  terminal: Terminal,
  { passphraseFile: path, passphraseEnv: name }: PassphraseFlags,
): Promise<string | undefined> {
  if (path !== undefined && name !== undefined) {
    throw usageError("give either --passphrase-file or --passphrase-env, not both");
  }
  if (path !== undefined) {
    const text = await readTextFile(terminal, path, "--passphrase-file");
    const [line = ""] = text.split(/\r?\n/, 1);
    if (line === "") throw usageError(`--passphrase-file: the first line of '${path}' is empty`);
    return line;
  }
  return name === undefined ? undefined : readVariable(terminal, "--passphrase-env", name);
}
