import { APPROVERS } from "../../contract/states.ts";
import type { Approver } from "../../contract/states.ts";
import type { AskRecord, Decider } from "../ports/secrets.ts";

// The approval of claims, contract section 17: who has to approve them, and who has asked. A secret keeps it as a text.

/** How long an ask waits, and how long a claim is allowed afterwards. */
export const WAITING_MS = 3_600_000;
const APPROVED_MS = 600_000;
/** How long an ask keeps its place when others want it. */
const GIVES_WAY_MS = 600_000;
/** The most asks of one secret that are kept at once. */
const MAX_ASKS = 5;

/** What of an asker tells them from others. */
type Asker = Pick<AskRecord, "address" | "askerId">;

interface Approval {
  readonly by: Approver;
  readonly asks: readonly AskRecord[];
}

/** A secret, as far as its approval goes. `approval` is the stored text; null when nobody has to approve. */
export interface Approvable {
  readonly approval: string | null;
  readonly createdBy: string | null;
}

/** The stored text for a secret whose claims somebody has to approve; null for undefined. */
export function newApproval(by: Approver | undefined): string | null {
  return by === undefined ? null : write({ by, asks: [] });
}

/** Who has to approve the claims of a secret; null for nobody. */
export function approverOf({ approval }: Approvable): Approver | null {
  return approval === null ? null : read(approval).by;
}

/** The asks of a secret whose time isn't over, oldest first. */
export function asksAt({ approval }: Approvable, now: number): readonly AskRecord[] {
  return approval === null ? [] : read(approval).asks.filter(({ until }) => until > now);
}

/**
 * `secret` with one more ask, and that ask. Without room, the oldest one gives way that was refused or has waited long.
 * Somebody whose ask still counts goes on with it, by the new token. Returns "too_many" without room.
 */
export function withAsk<T extends Approvable>(
  secret: T,
  ask: AskRecord,
  now: number,
): { readonly secret: T; readonly ask: AskRecord; readonly isNew: boolean } | "too_many" {
  const all = asksAt(secret, now);
  const own = all.find((each) => isSame(each, ask));
  if (own && own.state !== "refused") {
    const { tokenHash } = ask;
    const next = { ...own, tokenHash };
    return {
      secret: withAsks(
        secret,
        all.map((each) => (each === own ? next : each)),
      ),
      ask: next,
      isNew: false,
    };
  }
  const others = all.filter((each) => each !== own);
  const gone = others.length < MAX_ASKS ? undefined : others.filter((each) => givesWayAt(each) <= now).at(0);
  if (others.length >= MAX_ASKS && !gone) return "too_many";
  return { secret: withAsks(secret, [...others.filter((each) => each !== gone), ask]), ask, isNew: true };
}

/** The time from which an ask gives way to a new one: the person may have left. */
export function givesWayAt({ state, askedAt, until }: AskRecord): number {
  return state === "refused" ? askedAt : state === "waiting" ? askedAt + GIVES_WAY_MS : until;
}

/** True when somebody may decide an ask: the sender or not, as the secret says, and never what they asked for. */
export function mayDecide(secret: Approvable, ask: Asker, { id, address }: Decider): boolean {
  const isSender = id !== null && id === secret.createdBy;
  if ((approverOf(secret) === "sender") !== isSender) return false;
  if (id === null || id === ask.askerId) return false;
  return address === undefined || ask.address === null || mailboxOf(address) !== mailboxOf(ask.address);
}

/** An address without the part after a plus, which mail servers deliver to the same mailbox (RFC 5233). */
function mailboxOf(address: string): string {
  return address.toLowerCase().replace(/\+.*(?=@)/, "");
}

/** `secret` after a decision about the ask `id`, with that ask; undefined when its time is over, or it never was. */
export function withDecision<T extends Approvable>(
  secret: T,
  { id, state }: { readonly id: string; readonly state: Exclude<AskRecord["state"], "waiting"> },
  now: number,
): { readonly secret: T; readonly ask: AskRecord } | undefined {
  const asks = asksAt(secret, now);
  const before = asks.find((each) => each.id === id);
  // A refusal is final. What was approved can still be refused.
  if (!before || (before.state === "refused" && state === "approved")) return undefined;
  if (before.state === state) return { secret, ask: before };
  const ask = { ...before, state, until: now + APPROVED_MS };
  return {
    secret: withAsks(
      secret,
      asks.map((each) => (each === before ? ask : each)),
    ),
    ask,
  };
}

/** The ask with this token hash, in hexadecimal digits; undefined when there is none, or its time is over. */
export function findAsk(secret: Approvable, tokenHash: string | undefined, now: number): AskRecord | undefined {
  return asksAt(secret, now).find((each) => each.tokenHash === tokenHash);
}

/** `secret` without an ask that was used; without all of them when it has ended. */
export function withoutAsks<T extends Approvable>(secret: T, used?: AskRecord): T {
  if (secret.approval === null) return secret;
  const { asks } = read(secret.approval);
  const left = used ? asks.filter(({ id }) => id !== used.id) : [];
  return left.length === asks.length ? secret : withAsks(secret, left);
}

/**
 * True when two asks are those of one person: of the same identity and address. An identity that has proven another
 * address asks anew, as people may not decide what was asked for with theirs.
 */
function isSame(one: Asker, other: Asker): boolean {
  if (one.askerId === null && one.address === null) return false;
  return one.askerId === other.askerId && one.address?.toLowerCase() === other.address?.toLowerCase();
}

function withAsks<T extends Approvable>(secret: T, asks: readonly AskRecord[]): T {
  const by = approverOf(secret);
  if (by === null) throw new Error("nobody has to approve this secret");
  return { ...secret, approval: write({ by, asks }) };
}

// Without asks it is the approver alone, so that an index can leave it out: see `schema.ts`.
function read(text: string): Approval {
  const by = APPROVERS.find((each) => each === text);
  return by ? { by, asks: [] } : (JSON.parse(text) as Approval);
}

function write(approval: Approval): string {
  return approval.asks.length === 0 ? approval.by : JSON.stringify(approval);
}
