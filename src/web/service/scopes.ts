import type { Scope } from "../../contract/scopes.ts";
import type { Tab } from "../frame/account.ts";
import type { Person } from "./clients.ts";

/** True when a person has all of these scopes. */
export function may({ credential }: Pick<Person, "credential">, ...scopes: readonly Scope[]): boolean {
  return scopes.every((scope) => credential.scopes.includes(scope));
}

/** True when a person may read the audit of their team. */
export function readsAudit(person: Pick<Person, "credential">): boolean {
  return may(person, "events:read");
}

/** The tabs that a person may use, in their order. */
export function tabsOf(person: Pick<Person, "credential">): readonly Tab[] {
  const canRead = (["secrets:read", "requests:read", "secrets:approve"] as const).some((scope) => may(person, scope));
  return [
    ...(may(person, "secrets:create") ? (["send"] as const) : []),
    ...(may(person, "requests:create") ? (["ask"] as const) : []),
    ...(canRead ? (["activity"] as const) : []),
  ];
}
