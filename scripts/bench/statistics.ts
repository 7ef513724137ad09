/** The value below which the share `fraction` of `values` lies. Throws RangeError when there are none. */
export function quantile(values: readonly number[], fraction: number): number {
  const sorted = Float64Array.from(values).toSorted();
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))];
  if (value === undefined) throw new RangeError("nothing was measured");
  return value;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
