import type { EventType, ProofWay } from "../../contract/states.ts";
import type { IdentityKind } from "./identities.ts";
import type { SecretRecord } from "./secrets.ts";

export interface EventRecord {
  readonly id: string;
  readonly teamId: string;
  readonly type: EventType;
  readonly createdAt: number;
  /** Null for an event of a request. */
  readonly secretId: string | null;
  readonly requestId: string | null;
  readonly actorId: string | null;
  /** The ticket of the secret or the request. */
  readonly reference: string | null;
  /** The address that the actor has proven; of `proof_refused` the one that they gave. Null for most. */
  readonly address: string | null;
  /** The id and the three words of an ask for approval, with spaces between them; null for most. */
  readonly ask: string | null;
  /** How the address was proven; null for most. */
  readonly proof: ProofWay | null;
  /** The address of the client, where the server logs addresses; null otherwise. */
  readonly network: string | null;
}

/** An event with the kind of its actor. */
export interface ListedEvent extends EventRecord {
  /** The kind of the identity `actorId`; null without one, or when it was deleted. People are never deleted. */
  readonly actorKind: IdentityKind | null;
}

/**
 * An event to be written. The store sets its id and its time, which is that of the transaction. Both ascend along the
 * log.
 */
export type NewEvent = Omit<EventRecord, "id" | "createdAt" | RareMembers> & Partial<Pick<EventRecord, RareMembers>>;

/** The members that most events have not, and that may be left out of a new one. */
type RareMembers = "ask" | "proof" | "network";

/**
 * Who caused an event: an identity, or somebody who has proven an address; how, from where, and by which ask they were
 * let in.
 */
export type EventActor = Pick<NewEvent, "actorId" | "address" | "proof" | "network" | "ask">;

/** The members of an event that a new one may leave out. */
export const NO_RARE_MEMBERS = { ask: null, proof: null, network: null } as const;

export interface EventStore {
  /** Events after `after`, oldest first. */
  listEvents(teamId: string, after: string | undefined, limit: number): Promise<ListedEvent[]>;
  /** All events of a secret that are still kept, oldest first. */
  listSecretEvents(secret: SecretRecord): Promise<ListedEvent[]>;
  /** The id of the team's latest event; undefined when there is none. */
  lastEventId(teamId: string): Promise<string | undefined>;
}

/** The feed of committed events. `subscribe` returns the function that unsubscribes. */
export interface EventFeed {
  subscribe(listener: (event: EventRecord) => void): () => void;
}

/** A link of the chain of hashes over the log of all teams. */
export interface SealRecord {
  /** They count up by one. */
  readonly id: number;
  /** The place of its last event, and the time of that event in epoch milliseconds. */
  readonly lastPlace: number;
  readonly endsAt: number;
  /** A hash of the events of each team, with their number, as `seals.ts` writes it. */
  readonly parts: string;
  /** SHA-256 over the former seal's hash, `endsAt` and `parts`. */
  readonly hash: Uint8Array;
}

/** An event at its place in the log. Places ascend with time, and no place is given twice. */
export interface PlacedEvent extends EventRecord {
  readonly place: number;
}

/** Reads the log and its seals, past the store. */
export interface LogReader {
  /** The seals after the id `after`, in order. The events of the first of all are deleted. */
  listSeals(after: number, limit: number): Promise<SealRecord[]>;
  /** The newest seal; undefined when there is none. */
  lastSeal(): Promise<SealRecord | undefined>;
  /** The events after the place `after` up to the place `last`, in order; at most `limit`. */
  listPlaced(after: number, last: number, limit: number): Promise<PlacedEvent[]>;
  /** The ids of the teams that were deleted, as the log of admin commands says. */
  listDeletedTeams(): Promise<ReadonlySet<string>>;
}
