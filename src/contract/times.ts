/** A point in time on the wire, and for scripts: RFC 3339, UTC. Null stays null. */
export function toIsoTime(epochMs: number): string;
export function toIsoTime(epochMs: number | null): string | null;
export function toIsoTime(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
