import { join } from "node:path";
import { runWith, startExecutable } from "./executables.ts";
import { benchFolder } from "./folders.ts";
import { median } from "./statistics.ts";
import { aim, milliseconds } from "./tables.ts";
import type { Row } from "./tables.ts";

const RUNS = 10;
const SIZES = [
  { name: "1 KiB", bytes: 1024, mostMs: 150 },
  { name: "10 MiB", bytes: 10 * 1024 * 1024, mostMs: 1500 },
] as const;

/** Measures how long `handoff send` and `handoff open` take from end to end, with a server on the same machine. */
export async function measureHandovers(): Promise<Row[]> {
  using folder = benchFolder();
  await using server = await startExecutable(folder.path, "--max-ciphertext", "20MiB");
  const env = {
    HANDOFF_URL: `http://127.0.0.1:${server.port}`,
    HANDOFF_API_KEY: server.token,
    XDG_STATE_HOME: join(folder.path, "state"),
  };
  const rows: Row[] = [];
  for (const { name, bytes, mostMs } of SIZES) {
    const file = join(folder.path, "file");
    await Bun.write(
      file,
      crypto
        .getRandomValues(new Uint8Array(Math.min(bytes, 65_536)))
        .toHex()
        .repeat(bytes / Math.min(bytes, 65_536) / 2),
    );
    const sends: number[] = [];
    const opens: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const link = await timed(sends, () => runWith(env, "send", file));
      await timed(opens, () =>
        runWith(env, "open", "--yes", link.trim(), "--output", join(folder.path, `out-${name}-${run}`)),
      );
    }
    rows.push(row(`\`handoff send\` of ${name}, median of ${RUNS}`, median(sends), mostMs));
    rows.push(row(`\`handoff open\` of ${name}, median of ${RUNS}`, median(opens)));
  }
  return rows;
}

async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  times.push(performance.now() - start);
  return result;
}

function row(measure: string, value: number, mostMs?: number): Row {
  const verdict = mostMs === undefined ? "" : aim(`< ${mostMs} ms`, value < mostMs);
  return { measure, value: milliseconds(value), baseline: "", ratio: "", aim: verdict };
}
