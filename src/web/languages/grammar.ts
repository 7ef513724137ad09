/** The forms of a text that depends on a number, by the plural categories of the language (Unicode CLDR). */
type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** The tools that a language needs to build sentences with numbers. */
export interface Grammar {
  /** The form that `count` asks for, with `{n}` in it replaced by the number as the language writes it. */
  readonly plural: (count: number, forms: PluralForms) => string;
  /** The texts of those counts that aren't 0, with a separator between them. */
  readonly parts: (separator: string, ...counts: readonly (readonly [count: number, forms: PluralForms])[]) => string;
  /** A number as the language writes it. */
  readonly number: (value: number) => string;
}

/** The grammar of `locale` (BCP 47). */
export function createGrammar(locale: string): Grammar {
  const rules = new Intl.PluralRules(locale);
  const format = new Intl.NumberFormat(locale);
  const number = (value: number) => format.format(value);
  const plural = (count: number, forms: PluralForms) =>
    (forms[rules.select(count)] ?? forms.other).replaceAll("{n}", number(count));
  return {
    number,
    plural,
    parts: (separator, ...counts) =>
      counts.flatMap(([count, forms]) => (count > 0 ? plural(count, forms) : [])).join(separator),
  };
}
