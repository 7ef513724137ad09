import { ID_PREFIXES } from "../../contract/ids.ts";
import type { IdKind } from "../../contract/ids.ts";
import type { Clock, Ids, Random } from "../ports/sources.ts";

const RANDOM_BYTES = 12;
/** The time leaves two bits free in its ten digits, which the top of the random part fills. */
const TIME_FACTOR = 2 ** 2;
const MIDDLE_LIMIT = 2 ** 50;
const LOW_LIMIT = 2 ** 28;

/**
 * The random part of an id: two numbers below their limits, and `top`, which fits beside the time. Two bits of the 26
 * digits stay zero.
 */
interface RandomPart {
  readonly top: number;
  readonly middle: number;
  readonly low: number;
}

const NO_RANDOM: RandomPart = { top: 0, middle: 0, low: 0 };

/**
 * Creates a generator of ids: a prefix, then 26 characters of base32hex for 48 bits of milliseconds and 80 random bits.
 * Ids of one generator strictly ascend, even within a millisecond, so that events sort by id.
 */
export function createIds(clock: Clock, random: Random): Ids {
  let lastTime = -1;
  let last = NO_RANDOM;
  return {
    next(kind: IdKind): string {
      const now = clock.now();
      if (now > lastTime) {
        lastTime = now;
        last = drawRandom(random);
      } else {
        last = countUp(last, 1 + (view(random.bytes(4)).getUint32(0) >>> 1));
      }
      return ID_PREFIXES[kind] + write(lastTime, last);
    },
  };
}

/** The lowest id of `kind` at `epochMs`. Every id made earlier sorts before it. */
export function firstIdAt(kind: IdKind, epochMs: number): string {
  return ID_PREFIXES[kind] + write(epochMs, NO_RANDOM);
}

// The highest bit stays zero, so that counting up within a millisecond can't overflow.
function drawRandom(random: Random): RandomPart {
  const words = view(random.bytes(RANDOM_BYTES));
  const [first, second, third] = [words.getUint32(0), words.getUint32(4), words.getUint32(8)];
  return { top: third >>> 31, middle: first * 2 ** 18 + (second >>> 14), low: third % LOW_LIMIT };
}

function countUp({ top, middle, low }: RandomPart, step: number): RandomPart {
  const newLow = low + step;
  const newMiddle = middle + Math.floor(newLow / LOW_LIMIT);
  return {
    top: top + Math.floor(newMiddle / MIDDLE_LIMIT),
    middle: newMiddle % MIDDLE_LIMIT,
    low: newLow % LOW_LIMIT,
  };
}

// Every creation and claim makes several ids. With BigInt, each would take ten times as long.
function write(time: number, { top, middle, low }: RandomPart): string {
  return digits(time * TIME_FACTOR + top, 10) + digits(middle, 10) + digits(low * 4, 6);
}

/** JavaScript's base 32 has the digits of base32hex. */
function digits(value: number, length: number): string {
  return value.toString(32).padStart(length, "0");
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
