/** The hexadecimal digits of a fingerprint. */
export const FINGERPRINT_DIGITS = 16;

const LEAST_SLOTS = 1024;

/** Maps the first digits of a hash to the number of its row. */
export interface Fingerprints {
  /** Remembers `seq`, at least 1, and replaces one with the same digits. */
  set(digits: string, seq: number): void;
  get(digits: string): number | undefined;
}

/**
 * A Map in a fifth of the memory, 16 to 32 bytes for each entry. Whenever it is full, rows before `first()` are
 * forgotten. Slots are chosen at random, so that nobody can choose hashes that collide.
 */
export function createFingerprints(first: () => number): Fingerprints {
  const [key = 0] = crypto.getRandomValues(new Uint32Array(1));
  let slots = LEAST_SLOTS;
  /** For each slot, both halves of the fingerprint, and the number of the row; 0 is an empty slot. */
  let table = new Uint32Array(3 * slots);
  let count = 0;

  /** The slot of a fingerprint, or the empty one for it. */
  const slotOf = (high: number, low: number): number => {
    let slot = mix(mix(key ^ high) ^ low) & (slots - 1);
    for (; table[3 * slot + 2] !== 0; slot = (slot + 1) & (slots - 1)) {
      if (table[3 * slot] === high && table[3 * slot + 1] === low) break;
    }
    return slot;
  };
  const put = (high: number, low: number, seq: number) => {
    const slot = slotOf(high, low);
    if (table[3 * slot + 2] === 0) count += 1;
    table[3 * slot] = high;
    table[3 * slot + 1] = low;
    table[3 * slot + 2] = seq;
  };
  const makeRoom = () => {
    const [from, old] = [first(), table];
    let left = 0;
    for (let at = 2; at < old.length; at += 3) if (isThere(old[at], from)) left += 1;
    slots = Math.max(LEAST_SLOTS, 2 ** Math.ceil(Math.log2(2 * left)));
    table = new Uint32Array(3 * slots);
    count = 0;
    for (let at = 0; at < old.length; at += 3) {
      const [high = 0, low = 0, seq = 0] = [old[at], old[at + 1], old[at + 2]];
      if (isThere(seq, from)) put(high, low, seq);
    }
  };
  return {
    set(digits, seq) {
      if (4 * (count + 1) > 3 * slots) makeRoom();
      put(highOf(digits), lowOf(digits), seq);
    },
    get(digits) {
      return table[3 * slotOf(highOf(digits), lowOf(digits)) + 2] || undefined;
    },
  };
}

function isThere(seq: number | undefined, first: number): boolean {
  return seq !== undefined && seq > 0 && seq >= first;
}

/** Mixes `bits` into a 32-bit number, each bit of which depends on all of them: MurmurHash's last step. */
function mix(bits: number): number {
  const half = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  const whole = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return whole ^ (whole >>> 16);
}

function highOf(digits: string): number {
  return Number.parseInt(digits.slice(0, 8), 16);
}

function lowOf(digits: string): number {
  return Number.parseInt(digits.slice(8, FINGERPRINT_DIGITS), 16);
}
