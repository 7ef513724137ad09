/**
 * Data packed as JSON for another thread: a structured clone costs twice as much in both threads. Passing a string
 * costs next to nothing; as a member of an object, each of its characters is hashed.
 */
export type Packed =
  string | { readonly kind: "packed"; readonly text: string; readonly large: readonly Uint8Array<ArrayBuffer>[] };

/** Stands for a value that JSON lacks. None of our records looks like it. */
type Reference =
  /** Small bytes, in base64. */
  | { readonly $bytes: string }
  /** The item of `large` with this index. */
  | { readonly $large: number }
  /** A number that isn't finite. */
  | { readonly $number: string };

/** Bytes of this size or larger are moved, so that the sender loses them; others are copied. */
const LARGE_BYTES = 64 * 1024;

/** Packs JSON values, non-finite numbers, and bytes. Undefined members are left out, and -0 becomes 0. */
export function pack(data: object): { readonly packed: Packed; readonly moved: ArrayBuffer[] } {
  const large: Uint8Array<ArrayBuffer>[] = [];

  const refer = (bytes: Uint8Array): Reference =>
    bytes.length < LARGE_BYTES ? { $bytes: bytes.toBase64() } : { $large: large.push(whole(bytes)) - 1 };
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
  if (large.length === 0) return { packed: text, moved: [] };
  return { packed: { kind: "packed", text, large }, moved: large.map(({ buffer }) => buffer) };
}

/** Returns the data that was packed. */
export function unpack(packed: Packed): unknown {
  const { text, large } = typeof packed === "string" ? { text: packed, large: [] } : packed;
  const resolve = (reference: Reference): unknown => {
    if ("$bytes" in reference) return Uint8Array.fromBase64(reference.$bytes);
    return "$large" in reference ? large[reference.$large] : Number(reference.$number);
  };
  const restore = (value: object): unknown => {
    if ("$bytes" in value || "$large" in value || "$number" in value) return resolve(value as Reference);
    const members = value as Record<string, unknown>;
    for (const name of Object.keys(members)) {
      const member = members[name];
      if (typeof member === "object" && member !== null) members[name] = restore(member);
    }
    return value;
  };
  const data = JSON.parse(text) as object;
  // Mostly there is no reference, and looking at every member takes longer than parsing them.
  return text.includes('"$') ? restore(data) : data;
}

function whole(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === bytes.length ? new Uint8Array(buffer) : bytes.slice();
}
