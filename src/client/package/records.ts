/** A person of a team, as the server says. */
export interface Person {
  readonly name: string | null;
  readonly address: string;
  readonly team: string;
}

/** The metadata of a secret, as the API answers it. Times are RFC 3339 in UTC. */
export interface Secret {
  readonly id: string;
  readonly state: "available" | "claimed" | "expired" | "revoked";
  readonly envelope_version: number;
  readonly ciphertext_bytes: number;
  readonly ciphertext_format: "age" | "unrecognized";
  readonly created_at: string;
  readonly expires_at: string;
  readonly max_claims: number;
  readonly claims: number;
  readonly ended_at: string | null;
  readonly created_by: string | null;
  readonly request_id: string | null;
  readonly reference: string | null;
  /** The signed-in person who sent it; only for the holder of its link. */
  readonly sender: Person | null;
  /** The people who may open it; for the holder of its link without the middle of their addresses. Null for all. */
  readonly for: readonly string[] | null;
  /** Who has to approve each opening: its sender, or somebody else of the team. Null for nobody. */
  readonly approval: "sender" | "team" | null;
}

/** The metadata of a request, as the API answers it. Times are RFC 3339 in UTC. */
export interface Request {
  readonly id: string;
  readonly state: "open" | "paused" | "fulfilled" | "expired" | "revoked";
  /** The age recipient that submissions are encrypted to. */
  readonly recipient: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly max_submissions: number;
  readonly submission_count: number;
  readonly submissions: readonly {
    readonly secret_id: string;
    readonly state: Secret["state"];
    readonly created_at: string;
  }[];
  readonly ended_at: string | null;
  readonly created_by: string | null;
  readonly reference: string | null;
  /** The people who may hand in; null for everybody with the link. */
  readonly for: readonly string[] | null;
}

/** An event of the team's log, as the API answers it. A later server may send other types, and kinds of actors. */
export interface HandoffEvent {
  readonly id: string;
  /** Such as `secret.claimed`. */
  readonly type: string;
  readonly created_at: string;
  readonly secret_id: string | null;
  readonly request_id: string | null;
  readonly identity: string | null;
  readonly actor: {
    readonly kind: string;
    readonly id: string | null;
    /** The address that they proved; of a `proof_refused`, the one that they gave. */
    readonly address: string | null;
  } | null;
  readonly reference: string | null;
  /** The ask for approval that it is about, with its three words; null for other events. */
  readonly ask: { readonly id: string; readonly words: readonly string[] } | null;
}
