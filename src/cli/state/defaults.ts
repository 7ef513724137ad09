import { join } from "node:path";
import { configFolder } from "../files/paths.ts";
import { readPrivateFile, writePrivateFile } from "../files/private-files.ts";
import { parseCount, parseExpires } from "../terminal/counts.ts";
import { CommandError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The flags that a user can keep a default for, and the check of each. The check throws CommandError. */
const CHECKS = {
  expires: (text: string) => parseExpires(text),
  claims: (text: string) => parseCount("--claims", text),
} as const;

export type DefaultName = keyof typeof CHECKS;

export const DEFAULT_NAMES = Object.keys(CHECKS) as readonly DefaultName[];

/** The defaults of `handoff config set`, each as its flag takes it. */
export type Defaults = { readonly [Name in DefaultName]?: string };

/** The kept defaults; empty when there are none. Throws CommandError when they can't be read. */
export function readDefaults(terminal: Terminal): Defaults {
  const text = readPrivateFile(pathOf(terminal));
  if (text === undefined) return {};
  try {
    const kept: unknown = JSON.parse(text);
    return Object.fromEntries(
      Object.entries(kept ?? {}).filter(
        ([name, value]) => DEFAULT_NAMES.includes(name as DefaultName) && typeof value === "string",
      ),
    );
  } catch {
    throw new CommandError(`The file '${pathOf(terminal)}' is damaged. Remove it.`);
  }
}

/** Keeps a default, or drops it when `value` is undefined. Throws CommandError for a value that the flag refuses. */
export function keepDefault(terminal: Terminal, name: DefaultName, value: string | undefined): void {
  if (value !== undefined) CHECKS[name](value);
  const { [name]: _former, ...others } = readDefaults(terminal);
  const kept = value === undefined ? others : { ...others, [name]: value };
  writePrivateFile(pathOf(terminal), `${JSON.stringify(kept, null, 2)}\n`);
}

function pathOf(terminal: Terminal): string {
  return join(configFolder(terminal), "defaults.json");
}
