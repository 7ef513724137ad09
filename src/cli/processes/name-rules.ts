/**
 * Names that a program obeys, separated by spaces, with their effect, to complete "it …"; `*` stands for the rest of a
 * name.
 */
export type NameTable = readonly (readonly [names: string, reason: string])[];

/** A name, or a pattern of names, that a program obeys. */
export interface NameRule {
  readonly pattern: RegExp;
  readonly reason: string;
}

/** Parses a table into its rules, in its order. They ignore case. */
export function rulesOf(table: NameTable): NameRule[] {
  return table.flatMap(([names, reason]) =>
    names.split(" ").map((name) => {
      const pattern = name.replaceAll(".", String.raw`\.`).replaceAll("*", ".*");
      return { pattern: new RegExp(`^${pattern}$`, "i"), reason };
    }),
  );
}

/** The reason of the first rule that matches `name`; undefined when none does. */
export function reasonFor(name: string, rules: readonly NameRule[]): string | undefined {
  return rules.find(({ pattern }) => pattern.test(name))?.reason;
}
