/** Milliseconds in the unit of Prometheus; undefined as it is. */
export function toSeconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}
