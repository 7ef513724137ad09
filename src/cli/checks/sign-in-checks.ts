import type { Settings } from "../../config/settings.ts";
import type { InspectedTeam } from "../../domain/ports/inspections.ts";
import { relyingPartyOf } from "../../domain/signing-in/passkeys.ts";
import { findMissingTeams } from "../server/named-teams.ts";
import { canProveAddresses } from "../server/policy.ts";
import type { SignInSettings } from "../server/policy.ts";
import { toLine } from "../terminal/terminal.ts";
import { failed, fine, warning } from "./findings.ts";
import type { Finding } from "./findings.ts";

/** Reports whether people can use passkeys, and to which name these belong. */
export function checkPasskeys({ baseUrl, signIn }: Pick<Settings, "baseUrl" | "signIn">): Finding[] {
  if (baseUrl === undefined) return [];
  if (!signIn.split(",").includes("passkey")) return [fine("passkeys", "There are none: --sign-in leaves them out.")];
  const party = relyingPartyOf(baseUrl, "");
  if (party) return [fine("passkeys", `People can use them. They belong to ${party.id}, and work at no other name.`)];
  return [fine("passkeys", "There are none: browsers want HTTPS and a host name for them. See --base-url.")];
}

/** Reports teams of settings that aren't among `teams`. */
export function checkTeams(
  settings: Pick<Settings, "oidcTeam" | "signInDomain">,
  teams: readonly Pick<InspectedTeam, "id" | "name">[],
): Finding[] {
  return findMissingTeams(settings, teams).map(({ setting, team }) =>
    failed(
      "teams",
      `${setting} names '${toLine(team)}', and no team has this name or id. New people can't sign in by it. Change the setting, or run: handoff admin team create NAME`,
    ),
  );
}

/** Warns of teams whose rules ask for an approval that nobody, or not everybody, can get. */
export function checkApprovers(teams: readonly Pick<InspectedTeam, "name" | "approval" | "approvers">[]): Finding[] {
  return teams.flatMap(({ name, approval, approvers }) => {
    if (approval === null || approvers > 1 || (approvers === 1 && approval === "sender")) return [];
    const team = `'${toLine(name)}'`;
    const who =
      approvers === 0
        ? `nobody there has the scope secrets:approve: no secret of the team can be opened`
        : `only one there has the scope secrets:approve. Nobody approves what they sent: the secrets of this one can't be opened`;
    return warning(
      "team rules",
      `The rules of ${team} ask for an approval, and ${who}. Give the scope to others, or run: handoff admin team rules ${team} --lift approval`,
    );
  });
}

/** Warns of teams whose rules ask for chosen people where nobody can prove an address. */
export function checkTeamRules(settings: SignInSettings, teams: readonly InspectedTeam[]): Finding[] {
  if (canProveAddresses(settings)) return [];
  return teams
    .filter(({ requiresFor }) => requiresFor)
    .map(({ name }) =>
      warning(
        "team rules",
        `The rules of '${toLine(name)}' ask for chosen people, and without mail or single sign-on nobody could prove an address: the team can create nothing. Set --smtp-url, or run: handoff admin team rules '${toLine(name)}' --lift require-for`,
      ),
    );
}
