import { Refusal } from "../../domain/values/errors.ts";

/** The cost of the smallest body: its connection and the parts of its head that are kept. */
const LEAST_BYTES = 4096;
const RETRY_SECONDS = 2;

/** Room for one body, from before it is read until its call is answered; or for one answer, until it is sent. */
export interface BodyRoom {
  /** Extends the room to `bytes` in all. Throws a Refusal `server_busy`. */
  grow(bytes: number): void;
  /** Gives it back. May be called more than once. */
  release(): void;
}

/** Whom a body or an answer counts for. */
interface BodyHolder {
  readonly caller: string;
  /** Who leaves room for one body of others together. Undefined for callers of no team. */
  readonly group?: string | undefined;
}

/** The memory that the bodies being read and the large answers being sent share. */
export interface BodyBudget {
  /**
   * Takes `bytes` of room for a body, or an answer. The largest one of its kind takes `largestBytes`. Throws a Refusal
   * `server_busy` when the budget, or the share of the caller or the group, is used up.
   */
  take(holder: BodyHolder, bytes: number, largestBytes?: number): BodyRoom;
  /** The bytes that are taken. */
  taken(): number;
}

/**
 * A budget of `totalBytes`. One caller may use a quarter, or the largest body or answer if that is more. A group leaves
 * room for a body of `largestBodyBytes`.
 */
export function createBodyBudget(totalBytes: number, largestBodyBytes: number): BodyBudget {
  const shares = new Map<string, number>();
  let taken = 0;

  const shareOf = (name: string) => shares.get(name) ?? 0;
  const add = (name: string, bytes: number) => {
    const own = shareOf(name) + bytes;
    if (own > 0) shares.set(name, own);
    else shares.delete(name);
  };

  return {
    take({ caller, group }, bytes, largestBytes = largestBodyBytes) {
      const limits = [[caller, Math.max(totalBytes / 4, largestBytes)] as const];
      if (group !== undefined) limits.push([group, Math.max(totalBytes - largestBodyBytes, largestBytes)]);
      let size = 0;
      const resize = (change: number) => {
        taken += change;
        size += change;
        for (const [name] of limits) add(name, change);
      };
      const room: BodyRoom = {
        grow(wanted) {
          const more = Math.max(wanted, LEAST_BYTES) - size;
          if (more <= 0) return;
          if (taken + more > totalBytes || limits.some(([name, most]) => shareOf(name) + more > most)) throw busy();
          resize(more);
        },
        release: () => resize(-size),
      };
      room.grow(bytes);
      return room;
    },
    taken: () => taken,
  };
}

function busy(): Refusal {
  return new Refusal("server_busy", { retryAfterSeconds: RETRY_SECONDS });
}
