import { closeSync, openSync, readSync } from "node:fs";
import { codeOf } from "../contract/system-codes.ts";
import { SettingsError } from "./errors.ts";
import { nearestOf } from "./nearest.ts";

/** The values of a file of settings, by the names of the settings. */
export type FileValues = ReadonlyMap<string, FileValue>;

type FileValue = string | number | boolean | readonly string[];

/** The most that is read of a file of settings. */
const MOST_BYTES = 1024 * 1024;

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "permission denied. The user that runs this has to be able to read it",
  EISDIR: "it is a directory",
};

/**
 * Reads a file of settings: TOML (https://toml.io/en/v1.0.0) with a line for each, under its name. `names` are those there
 * are. Throws SettingsError that names the file and what is wrong with it.
 */
export function readConfigFile(path: string, names: readonly string[]): FileValues {
  const values = new Map<string, FileValue>();
  const problems: string[] = [];
  for (const [name, value] of Object.entries(parse(path)) as [string, unknown][]) {
    if (!names.includes(name)) problems.push(unknownName(path, name, names));
    else if (isValue(value)) values.set(name, value);
    else problems.push(`'${path}': ${name} is no text, number, boolean or list of texts`);
  }
  if (problems.length > 0) throw new SettingsError(problems.join("\n"));
  return values;
}

function isValue(value: unknown): value is FileValue {
  return (
    ["string", "number", "boolean"].includes(typeof value) ||
    (Array.isArray(value) && value.every((each) => typeof each === "string"))
  );
}

function unknownName(path: string, name: string, names: readonly string[]): string {
  return `'${path}': there is no setting '${name}'. Did you mean '${nearestOf(name, names)}'? Settings have no sections.`;
}

/** The text of a file, or of a pipe. Throws SettingsError for what has no end, or is no file of settings by its size. */
function readText(path: string): string {
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.alloc(MOST_BYTES + 1);
    let bytes = 0;
    for (let read = -1; read !== 0 && bytes <= MOST_BYTES; bytes += read) {
      read = readSync(file, buffer, bytes, buffer.length - bytes, null);
    }
    if (bytes > MOST_BYTES) throw new SettingsError(`Can't read the settings in '${path}': they have more than 1 MiB.`);
    return buffer.toString("utf8", 0, bytes);
  } finally {
    closeSync(file);
  }
}

function parse(path: string): object {
  let text: string;
  try {
    text = readText(path);
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    const code = codeOf(error) ?? "unknown reason";
    throw new SettingsError(`Can't read the settings in '${path}': ${UNREADABLE[code] ?? code}.`);
  }
  try {
    return Bun.TOML.parse(text);
  } catch (error) {
    // The parser quotes nothing of a value, and names keys.
    const { message } = error as Error;
    throw new SettingsError(`'${path}' is not TOML: ${message.replace(/^TOML Parse error: /, "")}.`);
  }
}
