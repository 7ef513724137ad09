import type { Grammar } from "./grammar.ts";

/** The shape of `T` with any text in place of each one, so that another language can stand for it. */
type Translated<T> = T extends string
  ? string
  : T extends (...args: infer Arguments) => infer Result
    ? (...args: Arguments) => Translated<Result>
    : T extends object
      ? { readonly [Key in keyof T]: Translated<T[Key]> }
      : T;

/** The same texts as `English`, in another language. */
export type Translation<English extends (grammar: Grammar) => unknown> = (
  grammar: Grammar,
) => Translated<ReturnType<English>>;
