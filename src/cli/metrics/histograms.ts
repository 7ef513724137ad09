import type { Histogram, Registry } from "prom-client";

/** The observations under the same labels. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  /**
   * The number of observations up to each bound and above the previous one. Those above all bounds are only in `count`.
   */
  readonly buckets: readonly number[];
  readonly count: number;
  readonly sum: number;
}

/**
 * A histogram of the observations that `read` returns. The library's own costs a busy server more than the counting.
 */
export function createHistogram(
  registry: Registry,
  { name, help, bounds }: { readonly name: string; readonly help: string; readonly bounds: readonly number[] },
  read: () => readonly Series[],
): void {
  const get = async () => ({ name, help, type: "histogram", aggregator: "sum", values: read().flatMap(toSamples) });
  const toSamples = ({ labels, buckets, count, sum }: Series) => {
    let upTo = 0;
    const bucketOf = (le: number | "+Inf", value: number) => ({
      metricName: `${name}_bucket`,
      labels: { le, ...labels },
      value,
    });
    return [
      ...bounds.map((bound, index) => bucketOf(bound, (upTo += buckets[index] ?? 0))),
      bucketOf("+Inf", count),
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  };
  // The registry needs no more than this of its metrics.
  registry.registerMetric({ name, get } as unknown as Histogram);
}
