import { join } from "node:path";
import { checkLifetime, checkTimes } from "../../client/limits.ts";
import { MAX_CLAIMS, SECRET_TTL_SECONDS } from "../../contract/limits.ts";
import { UserError } from "../../contract/user-errors.ts";
import { configFolder } from "../files/paths.ts";
import { readPrivateFile, writePrivateFile } from "../files/private-files.ts";
import { parseCount, parseExpires } from "../terminal/counts.ts";
import { CommandError, usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The flags that a user can keep a default for, and the check of each. The check throws CommandError. */
const CHECKS = {
  expires: (text: string) => checkLifetime(parseExpires(text), SECRET_TTL_SECONDS.max),
  claims: (text: string) => checkTimes(parseCount("--claims", text), MAX_CLAIMS.max, "claims"),
} as const;

export type DefaultName = keyof typeof CHECKS;

export const DEFAULT_NAMES = Object.keys(CHECKS) as readonly DefaultName[];

/** The defaults of `handoff config set`, each as its flag takes it. */
export type Defaults = { readonly [Name in DefaultName]?: string };

/** The kept defaults; empty when there are none. Throws CommandError when one can't be read, or isn't valid. */
export function readDefaults(terminal: Terminal): Defaults {
  const kept = readKept(terminal);
  for (const name of DEFAULT_NAMES) {
    try {
      const value = kept[name];
      if (value !== undefined) CHECKS[name](value);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      throw usageError(`${error.message} It's kept as a default. Run: handoff config unset ${name}`);
    }
  }
  return kept;
}

/** The same, valid or not. Throws CommandError when the file is damaged. */
export function readKept(terminal: Terminal): Defaults {
  const text = readPrivateFile(pathOf(terminal));
  if (text === undefined) return {};
  try {
    const kept: unknown = JSON.parse(text);
    if (isDefaults(kept)) return kept;
  } catch {
    // Reported below, like any other content that isn't ours.
  }
  throw new CommandError(`The file '${pathOf(terminal)}' is damaged. Remove it.`);
}

function isDefaults(value: unknown): value is Defaults {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const kept = new Map<string, unknown>(Object.entries(value));
  return DEFAULT_NAMES.every((name) => ["string", "undefined"].includes(typeof kept.get(name)));
}

/** Keeps a default, or drops it when `value` is undefined. Throws CommandError for a value that the flag refuses. */
export function keepDefault(terminal: Terminal, name: DefaultName, value: string | undefined): void {
  if (value !== undefined) CHECKS[name](value);
  const { [name]: _former, ...others } = readKept(terminal);
  const kept = value === undefined ? others : { ...others, [name]: value };
  writePrivateFile(pathOf(terminal), `${JSON.stringify(kept, null, 2)}\n`);
}

function pathOf(terminal: Terminal): string {
  return join(configFolder(terminal), "defaults.json");
}
