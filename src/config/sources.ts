import { isDatabaseUrlShaped } from "./database-urls.ts";
import { SettingsError } from "./errors.ts";
import { readConfigFile } from "./files.ts";
import type { FileValues } from "./files.ts";
import { environmentName, SETTINGS } from "./settings.ts";
import type { Setting, SettingId } from "./settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The values from the command line, by setting id; `config` is the path of a settings file. */
export type Flags = Readonly<Partial<Record<string, unknown>>>;

/** The environment variable for the path of a settings file, used without `--config`. */
export const CONFIG_VARIABLE = "HANDOFF_CONFIG";

/** The sources of settings, in order of precedence. */
export interface Sources {
  readonly flags: Flags;
  readonly env: Environment;
  readonly file: { readonly path: string; readonly values: FileValues } | undefined;
}

/** An unparsed value; undefined when no source has one and there is no default. */
export interface Given {
  readonly value: unknown;
  readonly from: "flag" | "environment" | "file" | "default";
  /** The name under which it was or could have been given. */
  readonly name: string;
}

/** Reads the settings file that `flags` or `env` names, if there is one. Throws SettingsError. */
export function openSources(flags: Flags, env: Environment): Sources {
  const path = typeof flags["config"] === "string" ? flags["config"] : env[CONFIG_VARIABLE];
  if (!path) return { flags, env, file: undefined };
  if (isDatabaseUrlShaped(path)) {
    const name = path === flags["config"] ? "--config" : CONFIG_VARIABLE;
    throw new SettingsError(`${name}: expected the path of a file of settings, and this is the URL of a database`);
  }
  const names = Object.values(SETTINGS).map(({ name }) => name);
  return { flags, env, file: { path, values: readConfigFile(path, names) } };
}

/** The value of the setting `id`, and its source. */
export function findGiven(id: SettingId, { flags, env, file }: Sources): Given {
  const setting: Setting = SETTINGS[id];
  if (flags[id] !== undefined) return { value: flags[id], from: "flag", name: `--${setting.name}` };
  const variable = environmentName(setting);
  // An empty variable counts as unset.
  if (env[variable]) return { value: env[variable], from: "environment", name: variable };
  const written = file?.values.get(setting.name);
  if (file && written !== undefined) {
    const value = typeof written === "object" ? written : String(written);
    return { value, from: "file", name: `${setting.name} in '${file.path}'` };
  }
  return { value: setting.default, from: "default", name: `--${setting.name}` };
}
