/**
 * Names that something obeys, separated by spaces, with what it does, to complete "it …"; `*` stands for the rest of a
 * name.
 */
export type NameTable = readonly (readonly [names: string, reason: string])[];

/** A name, or a shape of names, that something obeys. */
export interface NameRule {
  readonly pattern: RegExp;
  readonly reason: string;
}

/** The rules that a table stands for, in its order. Case does not matter to them. */
export function rulesOf(table: NameTable): NameRule[] {
  return table.flatMap(([names, reason]) =>
    names.split(" ").map((name) => {
      const pattern = name.replaceAll(".", String.raw`\.`).replaceAll("*", ".*");
      return { pattern: new RegExp(`^${pattern}$`, "i"), reason };
    }),
  );
}

/** The reason of the first rule that `name` falls under; undefined when it falls under none. */
export function reasonFor(name: string, rules: readonly NameRule[]): string | undefined {
  return rules.find(({ pattern }) => pattern.test(name))?.reason;
}
