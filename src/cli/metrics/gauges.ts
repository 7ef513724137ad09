import { Gauge } from "prom-client";
import type { Registry } from "prom-client";

/** A gauge without labels. It is left out while it is undefined. */
export function createGauge(registry: Registry, name: string, help: string): (value: number | undefined) => void {
  const gauge = new Gauge({ name, help, registers: [registry] });
  return (value) => {
    // prom-client reports 0 for a gauge without a value.
    if (value === undefined) gauge.remove();
    else gauge.set(value);
  };
}

/** The values of a gauge by their labels. */
export type Values<Label extends string> = readonly (readonly [labels: Record<Label, string>, value: number])[];

/** A gauge with labels. New values replace all earlier ones. */
export function createGauges<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly Label[],
): (values: Values<Label>) => void {
  const gauge = new Gauge<Label>({ name, help, labelNames: [...labelNames], registers: [registry] });
  return (values) => {
    gauge.reset();
    for (const [labels, value] of values) gauge.set(labels, value);
  };
}
