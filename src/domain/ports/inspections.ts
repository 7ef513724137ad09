import type { Approver } from "../../contract/states.ts";

/** The part of an inspection of a database that does not depend on the engine. */
export interface ContentInspection {
  /** The latest time that the database has seen, in epoch milliseconds; 0 for a new one. */
  readonly latestAt: number;
  /** The keys in use that expire within the time asked for, the first to expire first. */
  readonly endingKeys: readonly { readonly id: string; readonly expiresAt: number }[];
  /** The keys in use that were sent in a query string, with the names of their identities. */
  readonly exposedKeys: readonly { readonly id: string; readonly identity: string }[];
  /** The installation id; undefined for a database from before there was one. */
  readonly installation: string | undefined;
  readonly webhooks: readonly InspectedWebhook[];
  readonly teams: readonly InspectedTeam[];
}

export interface InspectedTeam {
  readonly id: string;
  readonly name: string;
  /** True when its rules ask for chosen people. */
  readonly requiresFor: boolean;
  /** Who has to approve claims, by its rules; null without such a rule. */
  readonly approval: Approver | null;
  /** The number of people and of automations with a key in use that have the scope `secrets:approve`. */
  readonly approvers: number;
}

/** A webhook, and how far it is. */
export interface InspectedWebhook {
  readonly id: string;
  readonly pausedAt: number | null;
  readonly pausedBy: "admin" | "receiver" | null;
  /** The time of the oldest event that was not delivered; null when there is none. */
  readonly behindSince: number | null;
}
