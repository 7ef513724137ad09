/** The number of a row that was found. Throws for a new row, which has none yet. */
export function seqOf({ seq }: { readonly seq?: number }): number {
  if (seq === undefined) throw new Error("a row has no number");
  return seq;
}
