import type { Terminal } from "./terminal.ts";

const QUIET_MS = 1000;
/** Nobody reads faster, and a terminal at the other end of a slow line has to get all of it. */
const REDRAW_MS = 100;
const WIDTH = 24;
/** The speed is that of the last while, which an outage before says nothing about. */
const WINDOW_MS = 30_000;
const SAMPLE_MS = 500;
const UNITS = ["KiB", "MiB", "GiB", "TiB"] as const;
const WORDS = { up: "Uploading", down: "Downloading", in: "Encrypting" } as const;

/** As that of a client; `in` is what is read before it is sent. */
type TransferProgress = (direction: keyof typeof WORDS, bytes: number, total: number | undefined) => void;

/** Shows the progress of a transfer on a terminal if it takes longer than a second, but not with --quiet. */
export function createProgress({ show, isTerminal, isQuiet }: Terminal): {
  readonly onProgress: TransferProgress | undefined;
  end(): void;
} {
  const begin = performance.now();
  let shownAt = -Infinity;
  let measured: string | undefined;
  let samples: { readonly at: number; readonly bytes: number }[] = [];
  /** Bytes per second, between this and what came first in the window, or last before it. */
  const measure = (at: number, bytes: number): number => {
    while (at - (samples[1]?.at ?? at) > WINDOW_MS) samples.shift();
    if (at - (samples.at(-1)?.at ?? -SAMPLE_MS) >= SAMPLE_MS) samples.push({ at, bytes });
    const [first = { at, bytes }] = samples;
    return (bytes - first.bytes) / ((at - first.at) / 1000);
  };
  const onProgress: TransferProgress = (direction, bytes, total) => {
    const now = performance.now();
    if (measured !== direction) samples = [];
    measured = direction;
    const perSecond = measure(now, bytes);
    if (now - begin < QUIET_MS || (now - shownAt < REDRAW_MS && bytes !== total)) return;
    shownAt = now;
    const share = total === undefined ? 0 : Math.min(1, bytes / total);
    const bar = "█".repeat(Math.round(share * WIDTH)).padEnd(WIDTH, "░");
    const speed = perSecond > 0 ? `, ${formatSize(Math.round(perSecond))}/s` : "";
    const left = perSecond > 0 && total !== undefined && total > bytes ? (total - bytes) / perSecond : 0;
    const wait = left >= 1 ? `, ${formatLeft(left)} left` : "";
    // Nobody knows how much is still to be read.
    const part = direction === "in" ? "" : ` ${bar} ${Math.round(share * 100)} % `;
    show(`${WORDS[direction]}${part} ${formatSize(bytes)}${speed}${wait}`);
  };
  return { onProgress: isTerminal.err && !isQuiet() ? onProgress : undefined, end: () => show("") };
}

/** A duration for people: `42 s`, `3 min`, `2 h`. */
function formatLeft(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 90 * 60 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}

/** A size for people: `1.2 MiB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const power = Math.min(UNITS.length, Math.floor(Math.log(bytes) / Math.log(1024)));
  return `${(bytes / 1024 ** power).toFixed(1)} ${UNITS[power - 1]}`;
}
