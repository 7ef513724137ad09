import { latency, medianCpuRatio, medianRatio } from "./rounds.ts";
import type { Measured } from "./rounds.ts";
import { median } from "./statistics.ts";
import { aim, count, microseconds, milliseconds, percent } from "./tables.ts";
import type { Row } from "./tables.ts";

/** A busier load generator may itself limit the measurement. */
const MOST_BUSY = 0.9;

/** The mark on a rate that the generator may have limited. */
export const BOUND_NOTE =
  "≥ before a rate: the load generator computed, or waited for a free core, for over " +
  `${percent(MOST_BUSY)} of the time, and the server may be able to do more.`;

/** A row of rates; the ratio is the median over the rounds, and should be `least` or more. */
export function rateRow(measure: string, value: Measured, baseline: Measured, least?: number): Row {
  const ratio = medianRatio(value, baseline);
  return {
    measure,
    value: rate(value),
    baseline: rate(baseline),
    ratio: ratio.toFixed(2),
    aim: least === undefined ? "" : aim(`≥ ${least}`, ratio >= least),
    generator: generatorShare(value),
  };
}

/** The median of the rates per second. */
export function rate(measured: Measured): string {
  const mark = median(measured.generator.map(({ busy }) => busy)) > MOST_BUSY ? "≥ " : "";
  return `${mark}${count(median(measured.perSecond))}`;
}

/** The share of a core that the load generator needed. */
export function generatorShare({ generator }: Measured): string {
  return percent(median(generator.map(({ computing }) => computing)));
}

/** A row of processor times; the ratio is the median over the rounds, and should be `most` or less. */
export function cpuRow(measure: string, value: Measured, baseline: Measured, most?: number): Row {
  const ratio = medianCpuRatio(value, baseline);
  return {
    measure,
    value: microseconds(median(value.cpuMicroseconds)),
    baseline: microseconds(median(baseline.cpuMicroseconds)),
    ratio: ratio.toFixed(2),
    aim: most === undefined ? "" : aim(`≤ ${most}`, ratio <= most),
  };
}

/** A row of the latencies that the share `fraction` of all requests stayed under; it should be `mostMs` or less. */
export function latencyRow(
  measure: string,
  value: Measured,
  baseline: Measured,
  fraction: number,
  mostMs?: number,
): Row {
  const [mine, other] = [latency(value, fraction), latency(baseline, fraction)];
  return {
    measure,
    value: milliseconds(mine),
    baseline: milliseconds(other),
    ratio: (mine / other).toFixed(2),
    aim: mostMs === undefined ? "" : aim(`≤ ${mostMs} ms`, mine <= mostMs),
  };
}
