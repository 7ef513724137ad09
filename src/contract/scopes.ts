/** Every scope an identity can have, in the order of the contract, section 3. */
export const SCOPES = [
  "secrets:create",
  "secrets:read",
  "secrets:claim",
  "secrets:revoke",
  "secrets:approve",
  "requests:create",
  "requests:read",
  "requests:revoke",
  "events:read",
] as const;
export type Scope = (typeof SCOPES)[number];

export function isScope(value: string): value is Scope {
  return SCOPES.some((scope) => scope === value);
}
