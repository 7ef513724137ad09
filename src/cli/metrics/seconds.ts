/** Converts milliseconds to seconds, the unit of Prometheus; undefined stays undefined. */
export function toSeconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}
