import type { Settings } from "../../config/settings.ts";
import type { ContentInspection } from "../../domain/ports/inspections.ts";
import { relyingPartyOf } from "../../domain/signing-in/passkeys.ts";
import { findMissingTeams } from "../server/named-teams.ts";
import { toLine } from "../terminal/terminal.ts";
import { failed, fine } from "./findings.ts";
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
  teams: ContentInspection["teams"],
): Finding[] {
  return findMissingTeams(settings, teams).map(({ setting, team }) =>
    failed(
      "teams",
      `${setting} names '${toLine(team)}', and no team has this name or id. New people can't sign in by it. Change the setting, or run: handoff admin team create NAME`,
    ),
  );
}
