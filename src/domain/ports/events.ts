import type { EventType } from "../../contract/states.ts";
import type { IdentityKind } from "./identities.ts";
import type { SecretRecord } from "./secrets.ts";

export interface EventRecord {
  readonly id: string;
  readonly teamId: string;
  readonly type: EventType;
  readonly createdAt: number;
  /** Null when it happened to a request. */
  readonly secretId: string | null;
  readonly requestId: string | null;
  readonly actorId: string | null;
  /** The ticket of the secret, or of the request. */
  readonly reference: string | null;
}

/** An event as it is read. */
export interface ListedEvent extends EventRecord {
  /** The kind of the identity `actorId`; null without one, or when it was deleted, which no person ever is. */
  readonly actorKind: IdentityKind | null;
}

/**
 * An event that is about to be written. The store gives it its id and its time, which is that of the transaction: neither goes
 * back from one event of the log to the next.
 */
export type NewEvent = Omit<EventRecord, "id" | "createdAt">;

export interface EventStore {
  /** Events after `after`, oldest first. */
  listEvents(teamId: string, after: string | undefined, limit: number): Promise<ListedEvent[]>;
  /** Every event of a secret that is still there, oldest first. */
  listSecretEvents(secret: SecretRecord): Promise<ListedEvent[]>;
  /** The id of the latest event; undefined when there is none. */
  lastEventId(teamId: string): Promise<string | undefined>;
}

/** The feed of committed events. `subscribe` returns a function that ends the subscription. */
export interface EventFeed {
  subscribe(listener: (event: EventRecord) => void): () => void;
}
