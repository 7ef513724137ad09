import { isAddress } from "../names.ts";
import type { IdentityRecord, TeamRecord } from "../ports/identities.ts";
import type { MailAccount, SignInDomain, TeamCode } from "../ports/mails.ts";
import { deriveCode } from "../values/tokens.ts";

/** The teams, by name or id, that the domain of an address lets it into. */
export function teamsOfDomain(address: string, domains: readonly SignInDomain[]): string[] {
  // In another spelling of the same domain (RFC 5890), a person who was removed would be a new one.
  const host = address.slice(address.lastIndexOf("@") + 1).toLowerCase();
  const fits = ({ domain }: SignInDomain) => domain.toLowerCase() === host;
  return address.includes("@") ? domains.filter(fits).map(({ team }) => team) : [];
}

/**
 * The account of an address. `known` are all identities with that address in upper or lower case, and `teams` those
 * that its domain lets it into. A person who was removed isn't let in again by the domain, however they write their
 * address. Undefined when nobody may sign in.
 */
export function mailAccountOf(
  address: string,
  known: readonly IdentityRecord[],
  teams: readonly TeamRecord[],
): MailAccount | undefined {
  const people = known.filter(({ kind, disabledAt }) => kind === "person" && disabledAt === null);
  const exact = people.find(({ name }) => name === address) ?? people[0];
  if (exact) return { address: exact.name, people: people.filter(({ name }) => name === exact.name), teams: [] };
  const open = teams.filter(({ id }) => !known.some(({ teamId }) => teamId === id));
  // One person, however they write it.
  const own = address.toLowerCase();
  return open.length > 0 && isAddress(own) ? { address: own, people: [], teams: open } : undefined;
}

/** The codes of an account, one for each team. */
export function codesOf(seed: string, { people, teams }: MailAccount): TeamCode[] {
  return [
    ...people.map(({ teamId, teamName }) => ({ team: teamName, code: deriveCode(seed, teamId) })),
    ...teams.map(({ id, name }) => ({ team: name, code: deriveCode(seed, id) })),
  ];
}
