import { formatDuration } from "../../config/units.ts";
import type { Rules } from "../../contract/credentials.ts";
import { TEAM_RULES } from "../../contract/states.ts";
import type { TeamRule } from "../../contract/states.ts";
import { formatSize } from "./progress.ts";

/** The name of a rule as the terminal has it. */
export function nameOfRule(rule: TeamRule): string {
  return rule.replace("_", "-");
}

/** The value of a rule, such as `1d`; `-` when it isn't set. */
export function formatRule(rules: Rules | null, rule: TeamRule): string {
  const value = rules?.[rule] ?? false;
  if (value === false) return "-";
  if (value === true) return "yes";
  if (typeof value === "number") {
    if (rule === "max_secret") return formatSize(value);
    return rule === "max_expires" ? formatDuration(value) : String(value);
  }
  return typeof value === "string" ? value : value.join(" ");
}

/** The rules that are set, in one line; `-` for none. */
export function formatRules(rules: Rules | null): string {
  const set = TEAM_RULES.map((rule) => [rule, formatRule(rules, rule)] as const).filter(([, value]) => value !== "-");
  const texts = set.map(([rule, value]) => (value === "yes" ? nameOfRule(rule) : `${nameOfRule(rule)} ${value}`));
  return texts.join(", ") || "-";
}
