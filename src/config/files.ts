import { readBounded } from "./bounded-texts.ts";
import { SettingsError } from "./errors.ts";
import { nearestOf } from "./nearest.ts";

/** The values in a settings file, by the names of the settings. */
export type FileValues = ReadonlyMap<string, FileValue>;

type FileValue = string | number | boolean | readonly string[];

/** The maximum size of a settings file. */
const MOST_KIB = 1024;

/** Wrong names that people often use for a setting. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  "database-url": "'database', or 'database-url-file' for a file with the URL",
};

/** Reads a settings file in TOML. `names` are the valid ones. Throws SettingsError with the file and its fault. */
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
  const meant = OTHER_NAMES[name.replaceAll("_", "-")] ?? `'${nearestOf(name, names)}'`;
  return `'${path}': there is no setting '${name}'. Did you mean ${meant}? Settings have no sections.`;
}

function parse(path: string): object {
  const text = new TextDecoder().decode(readBounded(path, { what: "the settings", mostKib: MOST_KIB }));
  try {
    return Bun.TOML.parse(text);
  } catch (error) {
    // The parser's message has keys, but no values.
    const { message } = error as Error;
    throw new SettingsError(`'${path}' is not TOML: ${message.replace(/^TOML Parse error: /, "")}.`);
  }
}
