import type { Settings } from "../../config/settings.ts";
import { toSignInDomains } from "./policy.ts";

/** A team that a setting names. */
export interface NamedTeam {
  /** The flag of the setting. */
  readonly setting: string;
  readonly team: string;
}

/** The teams, by name or id, that settings name for new people, and that aren't among `teams`. */
export function findMissingTeams(
  settings: Pick<Settings, "oidcTeam" | "signInDomain">,
  teams: readonly { readonly id: string; readonly name: string }[],
): NamedTeam[] {
  const { oidcTeam } = settings;
  const ofDomains = toSignInDomains(settings).map(({ team }) => ({ setting: "--sign-in-domain", team }));
  const named = [...(oidcTeam === undefined ? [] : [{ setting: "--oidc-team", team: oidcTeam }]), ...ofDomains];
  return named.filter(({ team }) => !teams.some(({ id, name }) => id === team || name === team));
}
