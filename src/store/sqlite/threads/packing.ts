/**
 * Data on its way to another thread: text and bytes. That costs half of what the structured clone of the same objects does, in
 * both threads.
 */
export interface Packed {
  /** JSON, in which bytes are a reference. */
  readonly text: string;
  /** The bytes of all small pieces, one after another. */
  readonly small: Uint8Array<ArrayBuffer>;
  readonly large: readonly Uint8Array<ArrayBuffer>[];
}

/** The place of what JSON has no word for. No record of ours looks like it. */
type Reference =
  /** Bytes in `small`. */
  | { readonly $from: number; readonly $to: number }
  /** The one of `large` with this index. */
  | { readonly $large: number }
  /** A number that is not finite. */
  | { readonly $number: string };

/** Bytes from this size on are moved, and gone for the one who packs them; others are copied. */
const LARGE_BYTES = 64 * 1024;

/**
 * Packs objects and arrays of what JSON has, numbers that are not finite, and bytes. A member that is undefined is left out,
 * and -0 becomes 0.
 */
export function pack(data: object): { readonly packed: Packed; readonly moved: ArrayBuffer[] } {
  const pieces: Uint8Array[] = [];
  const large: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;

  const refer = (bytes: Uint8Array): Reference => {
    if (bytes.length >= LARGE_BYTES) return { $large: large.push(whole(bytes)) - 1 };
    pieces.push(bytes);
    length += bytes.length;
    return { $from: length - bytes.length, $to: length };
  };
  const replace = (value: unknown): unknown => {
    if (typeof value === "number") return Number.isFinite(value) ? value : { $number: String(value) };
    if (typeof value !== "object" || value === null) return value;
    return value instanceof Uint8Array ? refer(value) : replaceMembers(value);
  };
  /** `value` itself when nothing in it has to be replaced, so that hardly anything is copied. */
  const replaceMembers = (value: object): object => {
    if (Array.isArray(value)) return value.map(replace);
    let copy: Record<string, unknown> | undefined;
    for (const name of Object.keys(value)) {
      const member = (value as Record<string, unknown>)[name];
      const replaced = replace(member);
      if (!Object.is(replaced, member)) (copy ??= { ...value })[name] = replaced;
    }
    return copy ?? value;
  };

  const text = JSON.stringify(replaceMembers(data));
  const small = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    small.set(piece, offset);
    offset += piece.length;
  }
  return { packed: { text, small, large }, moved: [small.buffer, ...large.map(({ buffer }) => buffer)] };
}

/** The data that was packed. Small pieces of bytes share one buffer. */
export function unpack({ text, small, large }: Packed): unknown {
  const resolve = (reference: Reference): unknown => {
    if ("$number" in reference) return Number(reference.$number);
    return "$large" in reference ? large[reference.$large] : small.subarray(reference.$from, reference.$to);
  };
  const restore = (value: object): unknown => {
    if ("$from" in value || "$large" in value || "$number" in value) return resolve(value as Reference);
    const members = value as Record<string, unknown>;
    for (const name of Object.keys(members)) {
      const member = members[name];
      if (typeof member === "object" && member !== null) members[name] = restore(member);
    }
    return value;
  };
  return restore(JSON.parse(text) as object);
}

function whole(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === bytes.length ? new Uint8Array(buffer) : bytes.slice();
}
