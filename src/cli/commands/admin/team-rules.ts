import { Option } from "commander";
import type { Command } from "commander";
import { loadSettings } from "../../../config/load.ts";
import { parseBytes, parseDuration } from "../../../config/units.ts";
import { MAX_CLAIMS, SECRET_BYTES, SECRET_TTL_SECONDS } from "../../../contract/limits.ts";
import { APPROVERS, TEAM_RULES } from "../../../contract/states.ts";
import type { Approver, TeamRule } from "../../../contract/states.ts";
import { getTeam } from "../../../domain/administration.ts";
import { parseDomain } from "../../../domain/names.ts";
import type { TeamRecord } from "../../../domain/ports/identities.ts";
import type { RulesChange } from "../../../domain/ports/teams.ts";
import { setTeamRules } from "../../../domain/teams.ts";
import { listRules } from "../../../domain/values/team-rules.ts";
import { addAdminFlags, readAdminStore, settingFlags, withAdminStore } from "../../server/admin-store.ts";
import type { AdminFlags } from "../../server/admin-store.ts";
import { canProveAddresses } from "../../server/policy.ts";
import { formatTable } from "../../terminal/tables.ts";
import { formatRule, formatRules, nameOfRule } from "../../terminal/team-rules.ts";
import { formatJson, remark, usageError, warn } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";

interface RulesFlags extends AdminFlags {
  readonly maxExpires?: string;
  readonly maxClaims?: string;
  readonly maxSecret?: string;
  readonly requireReference?: true;
  readonly requireFor?: true;
  readonly forDomain?: readonly string[];
  readonly approval?: Approver;
  readonly lift?: readonly string[];
}

const ALL = "all";

/** `handoff admin team rules`, which prints a team as `present` has it with --json. */
export function addRules(team: Command, terminal: Terminal, present: (team: TeamRecord) => unknown): void {
  addAdminFlags(team.command("rules").argument("<team>", "Its name or ID."))
    .description("Show what a team must keep to, or change it. It counts for what is created from the next call on.")
    .option("--max-expires <duration>", "The longest lifetime of secrets and requests, such as 1d.")
    .option("--max-claims <n>", "The most times a secret can be opened, and secrets handed in for a request.")
    .option("--max-secret <size>", "The largest secret, such as 1GiB; 0 for none that is too large for one message.")
    .option("--require-reference", "A ticket has to be named.")
    .option("--require-for", "The people who may use a link have to be chosen. It needs mail or single sign-on.")
    .option("--for-domain <domain...>", "The only domains of people who may be chosen.")
    .addOption(new Option("--approval <who>", "Who has to approve each opening, at least.").choices(APPROVERS))
    .addOption(
      new Option("--lift <rule...>", "Take back rules, before others are set.").choices([
        ...TEAM_RULES.map(nameOfRule),
        ALL,
      ]),
    )
    .addHelpText("after", HELP)
    .action(async (nameOrId: string, flags: RulesFlags) => {
      const change = parseChange(flags);
      const isChanging = Object.keys(change).length > 0;
      const isInVain = flags.requireFor && !mayProveAddresses(flags, terminal);
      const found = isChanging
        ? await withAdminStore(flags, terminal, (deps) => setTeamRules(deps, nameOrId, change))
        : await readAdminStore(flags, terminal, (deps) => getTeam(deps, nameOrId));
      if (isInVain) warn(terminal, NOBODY_PROVES);
      if (flags.json) return terminal.out(formatJson(present(found)));
      const rules = found.rules && listRules(found.rules);
      if (!isChanging) {
        return terminal.out(
          formatTable(
            ["RULE", "VALUE"],
            TEAM_RULES.map((rule) => [nameOfRule(rule), formatRule(rules, rule)]),
          ),
        );
      }
      const what = rules
        ? `The rules of the team '${found.name}': ${formatRules(rules)}.`
        : `The team '${found.name}' has no rules.`;
      remark(terminal, `${what} What was created before stays as it is.`);
    });
}

const HELP = `
Without options it shows the rules. Those that aren't named stay as they are.
Where the server's own limits are lower, they count.

Examples:
  handoff admin team rules ops --max-expires 1d --max-claims 1
  handoff admin team rules ops --require-reference
  handoff admin team rules ops --require-for --for-domain example.com
  handoff admin team rules ops --approval team
  handoff admin team rules ops --lift max-claims`;

const NOBODY_PROVES =
  "the settings that this command has name neither mail nor single sign-on, and on a server without both nobody can prove an address, so the team could create nothing.";

/** True when the settings that this command has let people prove an address. Throws SettingsError. */
function mayProveAddresses(flags: AdminFlags, { env }: Terminal): boolean {
  return canProveAddresses(loadSettings(settingFlags(flags), env, ["signIn", "mailFrom", "oidcIssuer"]));
}

/** The members of a change that each rule is about. */
const MEMBERS: Readonly<Record<TeamRule, keyof RulesChange>> = {
  max_expires: "maxTtlSeconds",
  max_claims: "maxClaims",
  max_secret: "maxSecretBytes",
  require_reference: "requireReference",
  require_for: "requireFor",
  for_domain: "forDomains",
  approval: "approval",
};

/** The change that the flags ask for; empty for none. Throws CommandError. */
function parseChange(flags: RulesFlags): RulesChange {
  const { maxExpires, maxClaims, maxSecret, requireReference, requireFor, forDomain, approval, lift = [] } = flags;
  const lifted = TEAM_RULES.filter((rule) => lift.includes(nameOfRule(rule)) || lift.includes(ALL));
  return {
    ...Object.fromEntries(lifted.map((rule) => [MEMBERS[rule], null])),
    ...(maxExpires === undefined ? {} : { maxTtlSeconds: parseMaxExpires(maxExpires) }),
    ...(maxClaims === undefined ? {} : { maxClaims: parseMaxClaims(maxClaims) }),
    ...(maxSecret === undefined ? {} : { maxSecretBytes: parseMaxSecret(maxSecret) }),
    ...(requireReference && { requireReference }),
    ...(requireFor && { requireFor }),
    ...(approval && { approval }),
    ...(forDomain === undefined ? {} : { forDomains: parseDomains(forDomain) }),
  };
}

function parseMaxExpires(text: string): number {
  const seconds = parseDuration(text);
  const { min, max } = SECRET_TTL_SECONDS;
  if (seconds !== undefined && seconds >= min && seconds <= max) return seconds;
  throw usageError("--max-expires must be a duration of 1m to 90d, such as 12h or 1d.");
}

function parseMaxClaims(text: string): number {
  const { min, max } = MAX_CLAIMS;
  const count = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (count >= min && count <= max) return count;
  throw usageError(`--max-claims must be a number from ${min} to ${max}.`);
}

function parseMaxSecret(text: string): number {
  const bytes = text === "0" ? 0 : parseBytes(text);
  const { min, max } = SECRET_BYTES;
  if (bytes !== undefined && bytes >= min && bytes <= max) return bytes;
  throw usageError("--max-secret must be a size up to 1024GiB, such as 1GiB, or 0.");
}

function parseDomains(texts: readonly string[]): string[] {
  const domains = texts.map((text) => {
    const domain = parseDomain(text);
    if (domain === undefined) throw usageError("--for-domain must be a domain, such as example.com.");
    return domain;
  });
  return [...new Set(domains)].toSorted();
}
