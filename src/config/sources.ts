import { isDatabaseUrlShaped } from "./database-urls.ts";
import { SettingsError } from "./errors.ts";
import { readConfigFile } from "./files.ts";
import type { FileValues } from "./files.ts";
import { environmentName, SETTINGS } from "./settings.ts";
import type { SettingId } from "./settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The values that the command line gave, by the ids of their settings; `config` names a file of settings. */
export type Flags = Readonly<Partial<Record<string, unknown>>>;

/** The environment variable that names a file of settings, where no `--config` does. */
export const CONFIG_VARIABLE = "HANDOFF_CONFIG";

/** The places that say what a setting is, the first one that does counts. */
export interface Sources {
  readonly flags: Flags;
  readonly env: Environment;
  readonly file: { readonly path: string; readonly values: FileValues } | undefined;
}

/** A value as somebody gave it; undefined when nobody did, and there is no default. */
export interface Given {
  readonly value: unknown;
  readonly from: "flag" | "environment" | "file" | "default";
  /** The name under which it was given, or could have been. */
  readonly name: string;
}

/** Reads the file of settings that `flags` or `env` names, if one does. Throws SettingsError. */
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

/** The value of the setting `id`, and who gave it. */
export function findGiven(id: SettingId, { flags, env, file }: Sources): Given {
  const setting = SETTINGS[id];
  if (flags[id] !== undefined) return { value: flags[id], from: "flag", name: `--${setting.name}` };
  const variable = environmentName(setting);
  // An empty one is a way of saying nothing.
  if (env[variable]) return { value: env[variable], from: "environment", name: variable };
  const written = file?.values.get(setting.name);
  if (file && written !== undefined) {
    const value = typeof written === "object" ? written : String(written);
    return { value, from: "file", name: `${setting.name} in '${file.path}'` };
  }
  return { value: setting.default, from: "default", name: `--${setting.name}` };
}
