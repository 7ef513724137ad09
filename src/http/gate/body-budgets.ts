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

/** The memory that the bodies being read and the large answers being sent share. */
export interface BodyBudget {
  /**
   * Takes `bytes` of room for a body, or an answer, of `holder`. The largest one of its kind takes `largestBytes`.
   * Throws a Refusal `server_busy` when the budget, or the holder's share, is used up.
   */
  take(holder: string, bytes: number, largestBytes: number): BodyRoom;
  /** The bytes that are taken. */
  taken(): number;
}

/** A budget of `totalBytes`. One holder may use a quarter, or the largest body or answer if that is more. */
export function createBodyBudget(totalBytes: number): BodyBudget {
  const shares = new Map<string, number>();
  let taken = 0;

  const add = (holder: string, bytes: number) => {
    const own = (shares.get(holder) ?? 0) + bytes;
    taken += bytes;
    if (own > 0) shares.set(holder, own);
    else shares.delete(holder);
  };

  return {
    take(holder, bytes, largestBytes) {
      const share = Math.max(totalBytes / 4, largestBytes);
      let size = 0;
      const room: BodyRoom = {
        grow(wanted) {
          const more = Math.max(wanted, LEAST_BYTES) - size;
          if (more <= 0) return;
          if (taken + more > totalBytes || (shares.get(holder) ?? 0) + more > share) throw busy();
          add(holder, more);
          size += more;
        },
        release() {
          add(holder, -size);
          size = 0;
        },
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
