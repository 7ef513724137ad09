import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readBeginning } from "../../config/readable-files.ts";
import { usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The environment of a command: with its secrets, and without the keys to others, such as the variable `hidden`. */
export function commandEnvironment(
  { env }: Pick<Terminal, "env">,
  secrets: Readonly<Record<string, string>>,
  hidden?: string,
): Record<string, string | undefined> {
  const keys = ["HANDOFF_API_KEY", "HANDOFF_API_KEY_FILE", ...(hidden === undefined ? [] : [hidden])];
  return { ...env, ...Object.fromEntries(keys.map((name) => [name, undefined])), ...secrets };
}

/** Variables about the user that programs need, and that hold no credentials. */
const BASE = /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TERM|TMPDIR|TZ|XDG_[A-Z_]+_(HOME|DIRS?))$/;

/** The environment of a command that someone else chose: basic variables, those `allowed`, and its secrets. */
export function boundedEnvironment(
  { env }: Pick<Terminal, "env">,
  allowed: readonly string[],
  secrets: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  const passed = Object.entries(env).filter(([name]) => BASE.test(name) || allowed.includes(name));
  return { ...Object.fromEntries(passed), ...secrets };
}

/** How much is read of an executable file: enough for the line that names its interpreter. */
const HEAD_BYTES = 256;
/** Text that isn't a script: executables begin with other bytes than text, or with '#!'. */
const TEXT = /^(?!#!)[\t\n\r\x20-\x7e]*$/;

/** The path of a command's program, run in `cwd`. Throws CommandError when there is none, or it clearly can't start. */
export function findCommand({ env }: Pick<Terminal, "env">, [name = ""]: readonly string[], cwd = "."): string {
  const path = name.includes("/") ? resolve(cwd, name) : name;
  const program = Bun.which(path, { PATH: env["PATH"] ?? "", cwd });
  if (!program && name.includes("/") && existsSync(path)) {
    throw usageError(`'${name}' is not an executable file. For a script or a program run: chmod +x '${name}'`);
  }
  if (!program) throw usageError(`there is no command '${name}'`);
  checkStart(name, readHead(program));
  return program;
}

function checkStart(name: string, head: string | undefined): void {
  if (head === undefined) return;
  if (TEXT.test(head)) {
    throw usageError(
      `'${name}' cannot run: it is not a program, and its first line does not name one, such as #!/bin/sh. Add that line, or run: sh '${name}'`,
    );
  }
  const interpreter = /^#![ \t]*(\/\S+)/.exec(head)?.[1];
  if (interpreter !== undefined && !existsSync(interpreter)) {
    throw usageError(`'${name}' cannot run: its first line names '${interpreter}', which is not there`);
  }
}

/** The beginning of a file, one character for each byte; undefined for a file that may be run but not read. */
function readHead(path: string): string | undefined {
  try {
    return readBeginning(path, HEAD_BYTES).toString("latin1");
  } catch {
    return undefined;
  }
}
