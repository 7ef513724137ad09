const REPLAY_MS = 5 * 60_000;

/** A secret as the contract says it must be; `held` while its ciphertext must still be stored. */
export interface ModelSecret {
  readonly id: string;
  readonly ciphertext: string;
  maxClaims: number;
  expiresAt: number;
  state: "available" | "claimed" | "expired" | "revoked";
  claims: number;
  held: boolean;
  /** True for a secret that is for Ann alone. */
  readonly isForAnn: boolean;
  /** The last proof of each address, by its owner. */
  readonly proofs: Map<"ann" | "eve", { readonly token: string; readonly until: number }>;
  /** By Idempotency-Key: which claim it was and until when it can be repeated. */
  readonly replays: Map<string, { readonly number: number; until: number }>;
}

/** Contract sections 4 and 6 in the simplest form that there is: one secret after the other, in memory. */
export function createModel() {
  const secrets: ModelSecret[] = [];
  const events: string[] = [];

  const isReplayable = (secret: ModelSecret, now: number) =>
    [...secret.replays.values()].some(({ until }) => until > now);

  const settle = (secret: ModelSecret, now: number) => {
    if (secret.state !== "available" && !isReplayable(secret, now)) secret.held = false;
  };

  const expireIfDue = (secret: ModelSecret, now: number) => {
    if (secret.state !== "available" || secret.expiresAt > now) return;
    secret.state = "expired";
    events.push(`secret.expired ${secret.id}`);
    settle(secret, now);
  };

  const view = ({ state, claims }: ModelSecret) => ({ state, claims });

  const replay = (secret: ModelSecret, { number, until }: { number: number; until: number }, now: number) =>
    secret.held && until > now
      ? {
          ciphertext: secret.ciphertext,
          claims: number,
          state: number === secret.maxClaims ? "claimed" : "available",
        }
      : secret.state === "revoked"
        ? "secret_revoked"
        : "secret_claimed";

  return {
    secrets,
    events,
    heldBytes: () => secrets.reduce((sum, { held, ciphertext }) => sum + (held ? ciphertext.length : 0), 0),
    create(secret: Pick<ModelSecret, "id" | "ciphertext" | "maxClaims" | "expiresAt" | "isForAnn">) {
      const { id } = secret;
      secrets.push({ ...secret, state: "available", claims: 0, held: true, replays: new Map(), proofs: new Map() });
      events.push(`secret.created ${id}`);
    },
    claim(secret: ModelSecret, key: string | undefined, now: number, prover?: "ann" | "eve") {
      const known = key === undefined ? undefined : secret.replays.get(key);
      if (known) return replay(secret, known, now);
      expireIfDue(secret, now);
      if (secret.state !== "available") return `secret_${secret.state}`;
      const proven = prover && secret.proofs.get(prover);
      if (secret.isForAnn && !(prover === "ann" && proven && proven.until > now)) return "proof_required";
      secret.claims += 1;
      if (secret.claims === secret.maxClaims) secret.state = "claimed";
      events.push(`secret.claimed ${secret.id}`);
      if (key !== undefined) secret.replays.set(key, { number: secret.claims, until: now + REPLAY_MS });
      settle(secret, now);
      return { ciphertext: secret.ciphertext, claims: secret.claims, state: secret.state };
    },
    acknowledge(secret: ModelSecret, key: string, now: number) {
      const known = secret.replays.get(key);
      if (!known) return "not_found";
      if (known.until > 0) {
        known.until = 0;
        settle(secret, now);
      }
      return "acknowledged";
    },
    setTerms(secret: ModelSecret, terms: { readonly expiresAt?: number; readonly maxClaims?: number }, now: number) {
      expireIfDue(secret, now);
      if (secret.state !== "available") return `secret_${secret.state}`;
      const { expiresAt = secret.expiresAt, maxClaims = secret.maxClaims } = terms;
      if (maxClaims <= secret.claims) return "schema_mismatch";
      if (expiresAt !== secret.expiresAt || maxClaims !== secret.maxClaims) {
        Object.assign(secret, { expiresAt, maxClaims });
        events.push(`secret.changed ${secret.id}`);
      }
      return { ...view(secret), maxClaims, expiresAt };
    },
    revoke(secret: ModelSecret, now: number) {
      expireIfDue(secret, now);
      if (secret.state === "available") {
        secret.state = "revoked";
        secret.held = false;
        events.push(`secret.revoked ${secret.id}`);
      }
      return secret.state === "revoked" ? view(secret) : `secret_${secret.state}`;
    },
    find(secret: ModelSecret, now: number) {
      expireIfDue(secret, now);
      return view(secret);
    },
    sweep(now: number) {
      const due = secrets.filter(({ state, expiresAt }) => state === "available" && expiresAt <= now);
      for (const secret of due.toSorted((a, b) => a.expiresAt - b.expiresAt)) expireIfDue(secret, now);
      for (const secret of secrets) settle(secret, now);
    },
  };
}

export type Model = ReturnType<typeof createModel>;
