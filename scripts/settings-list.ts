import { readFileSync, writeFileSync } from "node:fs";
import { settingIds } from "../src/config/load.ts";
import { environmentName, SETTINGS } from "../src/config/settings.ts";
import type { Setting } from "../src/config/settings.ts";
import { listItem, withSection } from "./markdown-lists.ts";

const FILE = "src/manual/settings.md";

/** The list of all settings, in Markdown. */
function settingsList(): string {
  const items = settingIds().map((id) => {
    const setting: Setting = SETTINGS[id];
    const flag = `--${setting.name}${setting.valueName ? ` ${setting.valueName}` : ""}`;
    const value = setting.default === undefined ? "" : ` (\`${setting.default}\`)`;
    return listItem(`\`${environmentName(setting)}\`, \`${flag}\`${value}: ${setting.doc}`);
  });
  return `Each has its variable, its flag, and the default in parentheses.\n\n${items.join("\n")}`;
}

/** `topic` with the current list. Throws when its section is missing. */
export function withSettingsList(topic: string): string {
  return withSection(topic, "All settings", settingsList());
}

if (import.meta.main) writeFileSync(FILE, withSettingsList(readFileSync(FILE, "utf8")));
