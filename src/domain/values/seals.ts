import type { EventRecord, PlacedEvent, SealRecord } from "../ports/events.ts";

// The chain of hashes over the log. The sweeper seals what is new: a line that is taken out, changed or put in later
// no longer fits the hashes. The retention deletes the oldest seals with all of their events; the last of these seals
// stays, because the next hash contains its own. The events of a team are deleted with it, so each team has a hash of
// its own in a seal, which then stands for them.

/** How long an event waits for its seal, and how much time the events of one seal span. */
const SEAL_MS = 60_000;

/** The beginning of every chain. */
export const FIRST_SEAL: SealRecord = { id: 0, lastPlace: 0, endsAt: 0, parts: "[]", hash: new Uint8Array(32) };

/** The members of an event that are hashed: all that both engines keep. One that is null is left out. */
const SEALED_MEMBERS = [
  "id",
  "teamId",
  "type",
  "createdAt",
  "secretId",
  "requestId",
  "actorId",
  "reference",
  "address",
  "ask",
  "proof",
  "network",
] as const satisfies readonly (keyof EventRecord)[];

/** The events of one team in a seal: its id, their number, and their hash in hexadecimal digits. */
type Part = readonly [teamId: string, count: number, hash: string];

/**
 * The next seal, over the first of `unsealed`, which are the oldest events after `former`. Undefined until one of them
 * is a minute old.
 */
export function nextSeal(former: SealRecord, unsealed: readonly PlacedEvent[], now: number): SealRecord | undefined {
  const [first] = unsealed;
  if (!first || !isSealDue(first, now)) return undefined;
  const sealed = unsealed.filter(({ createdAt }) => createdAt < first.createdAt + SEAL_MS);
  const last = sealed.at(-1) ?? first;
  const parts = JSON.stringify(partsOf(sealed));
  const rest = { lastPlace: last.place, endsAt: last.createdAt, parts };
  return { id: former.id + 1, ...rest, hash: chainHash(former, rest) };
}

/** True when the next seal may be due too, after `seal` over the first of `unsealed`, of which `limit` were read. */
export function isMoreDue(seal: SealRecord, unsealed: readonly PlacedEvent[], limit: number, now: number): boolean {
  const next = unsealed.find(({ place }) => place > seal.lastPlace);
  return next ? isSealDue(next, now) : unsealed.length === limit;
}

/** True when it is time for a seal. `oldest` is the oldest event without one. */
export function isSealDue(oldest: Pick<EventRecord, "createdAt">, now: number): boolean {
  return oldest.createdAt <= now - SEAL_MS;
}

/**
 * The last of the seals whose events are deleted now, because all of them are older than `keptFrom`; undefined for
 * none. `oldest` are the oldest seals. At most `limit` events are deleted, or those of one seal.
 */
export function lastForgotten<Seal extends Pick<SealRecord, "lastPlace" | "endsAt">>(
  [base, ...oldest]: readonly Seal[],
  keptFrom: number,
  limit: number,
): Seal | undefined {
  const kept = oldest.findIndex(({ endsAt }) => endsAt >= keptFrom);
  const due = kept === -1 ? oldest : oldest.slice(0, kept);
  return due.findLast(({ lastPlace }) => lastPlace - (base?.lastPlace ?? 0) <= limit) ?? due[0];
}

/** The hash of a seal that follows `former`. */
export function chainHash(former: SealRecord, { endsAt, parts }: Pick<SealRecord, "endsAt" | "parts">): Uint8Array {
  return new Bun.CryptoHasher("sha256").update(former.hash).update(`${endsAt} ${parts}`).digest();
}

/** The hash and the number of the events of each team. */
export function partsOf(events: readonly EventRecord[]): Part[] {
  const teams = Map.groupBy(events, ({ teamId }) => teamId);
  return [...teams].map(([teamId, own]) => [teamId, own.length, hashOf(own)] as const);
}

/** The parts of a seal; undefined when they aren't what `nextSeal` writes. */
export function readParts(text: string): Part[] | undefined {
  try {
    const parts: unknown = JSON.parse(text);
    return Array.isArray(parts) && parts.every(isPart) ? parts : undefined;
  } catch {
    return undefined;
  }
}

function isPart(part: unknown): part is Part {
  if (!Array.isArray(part)) return false;
  const [teamId, count, hash] = part as unknown[];
  return typeof teamId === "string" && typeof count === "number" && typeof hash === "string";
}

/** SHA-256 over the events, in hexadecimal digits. Each value comes after its name and its length. */
function hashOf(events: readonly EventRecord[]): string {
  // One long text is hashed faster than many short ones.
  let text = "";
  for (const event of events) {
    for (const name of SEALED_MEMBERS) {
      const value = event[name];
      if (value !== null) text += `${name}:${Buffer.byteLength(String(value))}:${value},`;
    }
    text += "\n";
  }
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}
