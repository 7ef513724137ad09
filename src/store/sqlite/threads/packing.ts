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

/** Where bytes are: in `small`, from `from` to `to`, or the one of `large` with this index. No record of ours looks like it. */
type Reference = { readonly $from: number; readonly $to: number } | { readonly $large: number };

/** Bytes from this size on are moved, and gone for the one who packs them; others are copied. */
const LARGE_BYTES = 64 * 1024;

/**
 * Packs objects and arrays of what JSON has, and bytes. A member that is undefined is left out; numbers have to be finite.
 */
export function pack(data: unknown): { readonly packed: Packed; readonly moved: ArrayBuffer[] } {
  const pieces: Uint8Array[] = [];
  const large: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;

  const refer = (bytes: Uint8Array): Reference => {
    if (bytes.length >= LARGE_BYTES) return { $large: large.push(whole(bytes)) - 1 };
    pieces.push(bytes);
    length += bytes.length;
    return { $from: length - bytes.length, $to: length };
  };
  /** `value` itself when there are no bytes in it, so that hardly anything is copied. */
  const replace = (value: object): object => {
    if (value instanceof Uint8Array) return refer(value);
    if (Array.isArray(value)) return value.map((each: unknown) => (isObject(each) ? replace(each) : each));
    let copy: Record<string, unknown> | undefined;
    for (const name of Object.keys(value)) {
      const member = (value as Record<string, unknown>)[name];
      if (!isObject(member)) continue;
      const replaced = replace(member);
      if (replaced !== member) (copy ??= { ...value })[name] = replaced;
    }
    return copy ?? value;
  };

  const text = JSON.stringify(isObject(data) ? replace(data) : data);
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
  const data: unknown = JSON.parse(text);
  const resolve = (reference: Reference): Uint8Array | undefined =>
    "$large" in reference ? large[reference.$large] : small.subarray(reference.$from, reference.$to);
  const restore = (value: object): unknown => {
    if ("$from" in value || "$large" in value) return resolve(value as Reference);
    const members = value as Record<string, unknown>;
    for (const name of Object.keys(members)) {
      const member = members[name];
      if (isObject(member)) members[name] = restore(member);
    }
    return value;
  };
  return isObject(data) && small.length + large.length > 0 ? restore(data) : data;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function whole(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === bytes.length ? new Uint8Array(buffer) : bytes.slice();
}
