import { readFileSync, writeFileSync } from "node:fs";
import { settingIds } from "../src/config/load.ts";
import { environmentName, SETTINGS } from "../src/config/settings.ts";
import type { Setting } from "../src/config/settings.ts";

const README = "README.md";
const BEGIN = "<!-- settings: printed by `bun scripts/settings-table.ts` -->";
const END = "<!-- /settings -->";

/** The table of all settings, in Markdown. */
export function settingsTable(): string {
  const rows = settingIds().map((id) => {
    const setting: Setting = SETTINGS[id];
    const flag = `--${setting.name}${setting.valueName ? ` ${setting.valueName}` : ""}`;
    return `| \`${flag}\` | \`${environmentName(setting)}\` | ${setting.default ?? ""} | ${setting.doc} |`;
  });
  return ["| flag | environment | default | what it does |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

/** `readme` with the current table. Throws when the marks are missing. */
export function withSettingsTable(readme: string): string {
  const start = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (start < 0 || end < start) throw new Error(`${README} has no place for the settings table`);
  return `${readme.slice(0, start) + BEGIN}\n\n${settingsTable()}\n\n${readme.slice(end)}`;
}

if (import.meta.main) writeFileSync(README, withSettingsTable(readFileSync(README, "utf8")));
