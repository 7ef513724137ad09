/** Formats a time as RFC 3339 in UTC. Null stays null. */
export function toIsoTime(epochMs: number): string;
export function toIsoTime(epochMs: number | null): string | null;
export function toIsoTime(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
