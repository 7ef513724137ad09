import type { en } from "./en.ts";

/** The shape of `T` with any text in place of each one, so that another language can stand for it. */
type Translated<T> = T extends string
  ? string
  : T extends (...args: infer Arguments) => infer Result
    ? (...args: Arguments) => Translated<Result>
    : T extends object
      ? { readonly [Key in keyof T]: Translated<T[Key]> }
      : T;

/** Everything that the page says, which each language has to have. */
export type Strings = Translated<ReturnType<typeof en>>;
