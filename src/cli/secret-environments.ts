import { resolve } from "node:path";
import { type Terminal, usageError } from "./terminal.ts";

/** The environment of a command: with the secrets that are for it, and without the key to others. */
export function commandEnvironment(
  { env }: Pick<Terminal, "env">,
  secrets: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  return { ...env, HANDOFF_API_KEY: undefined, HANDOFF_API_KEY_FILE: undefined, ...secrets };
}

/** The path of the program of a command that is to run in `cwd`. Throws CommandError when there is none. */
export function findCommand({ env }: Pick<Terminal, "env">, [name = ""]: readonly string[], cwd = "."): string {
  const program = Bun.which(name.includes("/") ? resolve(cwd, name) : name, { PATH: env["PATH"] ?? "", cwd });
  if (!program) throw usageError(`there is no command '${name}'`);
  return program;
}
