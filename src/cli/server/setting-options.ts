import { Option } from "commander";
import type { Command } from "commander";
import { settingIds } from "../../config/load.ts";
import { environmentName, SETTINGS } from "../../config/settings.ts";
import type { Setting, SettingId } from "../../config/settings.ts";
import { CONFIG_VARIABLE } from "../../config/sources.ts";

/** Gives `command` a flag for each of the settings named. */
export function addSettings(command: Command, ids: readonly SettingId[] = settingIds()): Command {
  for (const id of ids) {
    const setting: Setting = SETTINGS[id];
    // A flag that is on by default needs a value.
    const value = setting.valueName === "" ? "" : ` <${setting.valueName}>`;
    const option = new Option(`--${setting.name}${value}`, `${setting.doc} [${environmentName(setting)}]`);
    if (setting.kind === "list") option.argParser(appendValue);
    command.addOption(option);
  }
  return command.option(
    "--config <FILE>",
    `A file of settings: TOML, each under the name of its flag. The environment and flags come before it. [${CONFIG_VARIABLE}]`,
  );
}

/** Collects the values of a repeatable option. */
export function appendValue(value: string, previous: readonly string[] | undefined): string[] {
  return [...(previous ?? []), value];
}
