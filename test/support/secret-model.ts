const REPLAY_MS = 5 * 60_000;
const ASK_MS = 60 * 60_000;
const APPROVED_MS = 10 * 60_000;
const MAX_ASKS = 5;
const GIVES_WAY_MS = 10 * 60_000;

/** An ask for approval. */
export interface ModelAsk {
  readonly id: string;
  token: string;
  /** The owner of the proven address. */
  readonly by: "ann" | "eve" | undefined;
  state: "waiting" | "approved" | "refused";
  readonly askedAt: number;
  until: number;
}

/** True for an ask whose place another one may take. */
function givesWay({ state, askedAt }: ModelAsk, now: number): boolean {
  return state === "refused" || (state === "waiting" && askedAt + GIVES_WAY_MS <= now);
}

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
  /** Who has to approve; undefined for nobody. */
  readonly approver: "sender" | "team" | undefined;
  /** The asks that count, oldest first, and all that there ever were. */
  asks: ModelAsk[];
  readonly everAsked: ModelAsk[];
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

  const isProven = ({ proofs }: ModelSecret, prover: "ann" | "eve" | undefined, now: number) => {
    const proven = prover && proofs.get(prover);
    return proven !== undefined && proven.until > now;
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
    create(secret: Pick<ModelSecret, "id" | "ciphertext" | "maxClaims" | "expiresAt" | "isForAnn" | "approver">) {
      const { id } = secret;
      const empty = { replays: new Map(), proofs: new Map(), asks: [], everAsked: [] };
      secrets.push({ ...secret, ...empty, state: "available", claims: 0, held: true });
      events.push(`secret.created ${id}`);
    },
    claim(
      secret: ModelSecret,
      key: string | undefined,
      now: number,
      { prover, ask }: { readonly prover?: "ann" | "eve" | undefined; readonly ask?: ModelAsk | undefined } = {},
    ) {
      const known = key === undefined ? undefined : secret.replays.get(key);
      if (known) return replay(secret, known, now);
      expireIfDue(secret, now);
      if (secret.state !== "available") return `secret_${secret.state}`;
      const asked = secret.asks.find((each) => each === ask && each.until > now);
      const by = asked?.by ?? (isProven(secret, prover, now) ? prover : undefined);
      if (secret.isForAnn && by !== "ann") return "proof_required";
      if (secret.approver && asked?.state !== "approved") return "approval_required";
      secret.asks = secret.asks.filter((each) => each !== asked);
      secret.claims += 1;
      if (secret.claims === secret.maxClaims) secret.state = "claimed";
      events.push(`secret.claimed ${secret.id}`);
      if (key !== undefined) secret.replays.set(key, { number: secret.claims, until: now + REPLAY_MS });
      settle(secret, now);
      return { ciphertext: secret.ciphertext, claims: secret.claims, state: secret.state };
    },
    /** What an ask comes to; undefined when it is taken: then `asked` follows. */
    refusalOfAsk(secret: ModelSecret, prover: "ann" | "eve" | undefined, now: number) {
      expireIfDue(secret, now);
      if (secret.state !== "available") return `secret_${secret.state}`;
      if (!secret.approver) return "not_found";
      const by = isProven(secret, prover, now) ? prover : undefined;
      if (secret.isForAnn && by !== "ann") return "proof_required";
      secret.asks = secret.asks.filter((each) => each.until > now);
      const own = secret.asks.find((each) => by !== undefined && each.by === by);
      const others = secret.asks.filter((each) => each !== own);
      const isRoom = others.length < MAX_ASKS || others.some((each) => givesWay(each, now));
      return isRoom || (own && own.state !== "refused") ? undefined : "rate_limited";
    },
    asked(secret: ModelSecret, made: Pick<ModelAsk, "id" | "token">, prover: "ann" | "eve" | undefined, now: number) {
      const by = isProven(secret, prover, now) ? prover : undefined;
      const own = by === undefined ? undefined : secret.asks.find((each) => each.by === by && each.state !== "refused");
      if (own) {
        own.token = made.token;
        return own.id;
      }
      const until = Math.min(now + ASK_MS, secret.expiresAt);
      const ask: ModelAsk = { ...made, by, state: "waiting", askedAt: now, until };
      const others = secret.asks.filter((each) => by === undefined || each.by !== by);
      if (others.length >= MAX_ASKS) {
        others.splice(
          others.findIndex((each) => givesWay(each, now)),
          1,
        );
      }
      secret.asks = [...others, ask];
      secret.everAsked.push(ask);
      events.push(`secret.approval_asked ${secret.id}`);
      return ask.id;
    },
    decide(
      secret: ModelSecret,
      ask: ModelAsk,
      { as, state }: { readonly as: "sender" | "colleague"; readonly state: "approved" | "refused" },
      now: number,
    ) {
      if (secret.state !== "available" || secret.expiresAt <= now) return "not_found";
      if (!secret.asks.includes(ask) || ask.until <= now) return "not_found";
      if (ask.state === "refused" && state === "approved") return "not_found";
      if ((secret.approver === "sender") !== (as === "sender")) return "not_approver";
      if (ask.state === state) return "decided";
      Object.assign(ask, { state, until: now + APPROVED_MS });
      events.push(`secret.${state} ${secret.id}`);
      return "decided";
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
