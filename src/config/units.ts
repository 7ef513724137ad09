const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const;
const BYTES = { "": 1, B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 } as const;

/** Parses `300`, `45s`, `30m`, `12h`, `7d` or `2w` as seconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,12})([smhdw]?)$/.exec(text.trim());
  if (!match) return undefined;
  const unit = match[2] === "" ? "s" : match[2];
  return unit !== undefined && unit in SECONDS ? Number(match[1]) * SECONDS[unit as keyof typeof SECONDS] : undefined;
}

/** Parses `1048576`, `512KiB`, `10MiB` or `1GiB` as bytes; undefined for anything else. */
export function parseBytes(text: string): number | undefined {
  const match = /^(\d{1,15}) ?(B|KiB|MiB|GiB)?$/.exec(text.trim());
  return match ? Number(match[1]) * BYTES[(match[2] ?? "") as keyof typeof BYTES] : undefined;
}

/** Formats seconds in the largest unit that divides them: `7d`. */
export function formatDuration(seconds: number): string {
  return inUnits(seconds, [
    ["d", SECONDS.d],
    ["h", SECONDS.h],
    ["m", SECONDS.m],
    ["s", 1],
  ]);
}

/** Formats bytes in the largest unit that divides them: `10MiB`. */
export function formatBytes(bytes: number): string {
  return inUnits(bytes, [
    ["GiB", BYTES.GiB],
    ["MiB", BYTES.MiB],
    ["KiB", BYTES.KiB],
    ["B", 1],
  ]);
}

function inUnits(value: number, units: readonly (readonly [name: string, size: number])[]): string {
  const [name, size] = units.find(([, each]) => value >= each && value % each === 0) ?? ["", 1];
  return `${value / size}${name}`;
}
