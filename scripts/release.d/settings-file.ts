import { settingIds } from "../../src/config/load.ts";
import { environmentName, SETTINGS } from "../../src/config/settings.ts";
import type { Setting } from "../../src/config/settings.ts";

const COLUMNS = 100;

/** The settings that a package sets; the others have their defaults. */
const SET: Readonly<Record<string, string>> = { "require-encrypted": "true" };

/** The file of settings that a package installs: all of them, in comments unless the package sets them. */
export function settingsFile(): string {
  const settings = settingIds().map((id) => {
    const setting: Setting = SETTINGS[id];
    const written = SET[setting.name];
    const line = `${setting.name} = ${written ?? exampleOf(setting)}`;
    const doc = `${setting.doc} [${environmentName(setting)}]`;
    return `${inComments(doc)}${written === undefined ? "#" : ""}${line}\n`;
  });
  return `${inComments(HEAD)}\n${settings.join("\n")}`;
}

const HEAD =
  "The settings of handoff, in TOML. Each line that begins with # shows a default, or nothing where there is none. " +
  "The variables in brackets come before this file: /etc/handoff/env has them, if there is one. " +
  "After a change, run: systemctl restart handoff. Everybody on this machine can read this file.";

/** The default of a setting, as TOML. */
function exampleOf({ kind, default: usual }: Setting): string {
  if (kind === "list") return "[]";
  return kind === "boolean" || kind === "integer" ? (usual ?? "0") : JSON.stringify(usual ?? "");
}

function inComments(text: string): string {
  const lines = text.split(" ").reduce<string[]>((done, word) => {
    const last = done.at(-1);
    if (last === undefined || last.length + word.length >= COLUMNS) return [...done, `# ${word}`];
    return [...done.slice(0, -1), `${last} ${word}`];
  }, []);
  return lines.map((line) => `${line}\n`).join("");
}
