import type { Progress } from "../../client/transfers.ts";
import type { Terminal } from "./terminal.ts";

const QUIET_MS = 1000;
const WIDTH = 24;
const UNITS = ["KiB", "MiB", "GiB", "TiB"] as const;
const WORDS = { up: "Uploading", down: "Downloading" } as const;

/** Shows the progress of a transfer on a terminal if it takes longer than a second, but not with --quiet. */
export function createProgress({ show, isTerminal, isQuiet }: Terminal): {
  readonly onProgress: Progress | undefined;
  end(): void;
} {
  const begin = performance.now();
  const onProgress: Progress = (direction, bytes, total) => {
    if (performance.now() - begin < QUIET_MS) return;
    const share = total === undefined ? 0 : Math.min(1, bytes / total);
    const bar = "█".repeat(Math.round(share * WIDTH)).padEnd(WIDTH, "░");
    show(`${WORDS[direction]} ${bar} ${Math.round(share * 100)} %  ${formatSize(bytes)}`);
  };
  return { onProgress: isTerminal.err && !isQuiet() ? onProgress : undefined, end: () => show("") };
}

/** A size for people: `1.2 MiB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const power = Math.min(UNITS.length, Math.floor(Math.log(bytes) / Math.log(1024)));
  return `${(bytes / 1024 ** power).toFixed(1)} ${UNITS[power - 1]}`;
}
