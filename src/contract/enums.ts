import { Type } from "@sinclair/typebox";
import type { SchemaOptions, TUnsafe } from "@sinclair/typebox";

/** The schema of one of several strings. With a `title` the document names it. */
export function OneOf<const T extends readonly string[]>(values: T, options: SchemaOptions = {}): TUnsafe<T[number]> {
  const union = Type.Union(
    values.map((value) => Type.Literal(value)),
    options,
  );
  return Type.Unsafe<T[number]>(union);
}
