import { closeSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { API_PREFIX, UPLOADS_PATH } from "../../src/contract/operations.ts";
import { freePort, runWith, startExecutable } from "./executables.ts";
import { benchFolder } from "./folders.ts";
import { residentBytes } from "./processes.ts";
import { median } from "./statistics.ts";
import { megabytes, rowTable } from "./tables.ts";
import type { Row } from "./tables.ts";

// `bun scripts/bench/large.ts`: a secret of 1 GiB beside `age` piped into `curl`, and beside tusd, a plain server of
// tus, which flushes nothing. Both programs have to be in PATH. Takes about two minutes, and 8 GiB of the disk.

const BYTES = 1024 * 1024 * 1024;
const ROUNDS = 3;
const PIECE = crypto.getRandomValues(new Uint8Array(65_536));
/** Of an age file: what each 64 KiB of plaintext, the last ones too, have behind them. */
const TAG_BYTES = 16;
const CHUNK_BYTES = 65_536;

/** Seconds of one round after another. */
interface Pair {
  readonly ours: number[];
  readonly theirs: number[];
}

await using cleanup = new AsyncDisposableStack();
const folder = cleanup.use(benchFolder());
const pathOf = (name: string) => join(folder.path, name);
for (const program of ["age", "age-keygen", "tusd", "curl"]) {
  if (!Bun.which(program)) throw new Error(`${program} is needed, and isn't in PATH`);
}

const server = cleanup.use(await startExecutable(pathOf("data"), "--team-quota", "100GiB"));
const tusd = cleanup.use(await startTusd());
const ours = { base: `http://127.0.0.1:${server.port}`, uploads: API_PREFIX + UPLOADS_PATH };
const theirs = { base: `http://127.0.0.1:${tusd.port}`, uploads: "/files/" };
const env = { HANDOFF_URL: ours.base, HANDOFF_API_KEY: server.token, XDG_STATE_HOME: pathOf("state") };

writeRandom(pathOf("plain"));
await shell(
  "age-keygen -o key 2>/dev/null; age -r $(age-keygen -y key) -o sealed plain; : | age -r $(age-keygen -y key) -o empty",
);
const headerBytes = statSync(pathOf("empty")).size - TAG_BYTES;
const sealedBytes = headerBytes + BYTES + TAG_BYTES * Math.ceil(BYTES / CHUNK_BYTES);

const [upload, send, open]: readonly [Pair, Pair, Pair] = [emptyPair(), emptyPair(), emptyPair()];
for (let round = 0; round < ROUNDS; round++) {
  const raw = await timed(upload.ours, () => uploadTo(ours, "curl -sf -T sealed"));
  const kept = await timed(upload.theirs, () => uploadTo(theirs, "curl -sf -T sealed"));
  const link = (await timed(send.ours, () => runWith(env, "send", pathOf("plain")))).trim();
  const piped = await timed(send.theirs, () => uploadTo(theirs, "age -r $(age-keygen -y key) plain | curl -sf -T -"));
  await timed(open.ours, () => runWith(env, "open", "--yes", "--output", pathOf("opened/"), link));
  await timed(open.theirs, () => shell(`curl -sf ${kept} | age -d -i key -o fetched`));
  for (const each of ["opened", "fetched"]) rmSync(pathOf(each), { recursive: true });
  for (const each of [raw, kept, piped]) await fetch(each, { method: "DELETE", headers: tusHeaders() });
}
const peak = { ours: residentBytes(server.pid).peak, theirs: residentBytes(tusd.pid).peak };
console.log(
  rowTable([
    row("upload of an age file of 1 GiB by `curl`, against tusd", upload),
    row("`handoff send` of 1 GiB, against `age` piped into `curl` and tusd", send),
    row("`handoff open` of 1 GiB, against `curl` from tusd piped into `age`", open),
    {
      measure: "peak memory of the server, against tusd",
      value: megabytes(peak.ours),
      baseline: megabytes(peak.theirs),
      ratio: (peak.ours / peak.theirs).toFixed(2),
      aim: "",
    },
  ]),
);
await cleanup.disposeAsync();
process.exit(0);

function emptyPair(): Pair {
  return { ours: [], theirs: [] };
}

function row(measure: string, { ours: mine, theirs: others }: Pair): Row {
  const ratio = median(mine.map((seconds, round) => (others[round] ?? Number.NaN) / seconds));
  const rate = (seconds: number) => `${megabytes(BYTES / seconds)}/s`;
  return { measure, value: rate(median(mine)), baseline: rate(median(others)), ratio: ratio.toFixed(2), aim: "" };
}

/** Sends what `command` uploads in one piece, and resolves with the URL of it. */
async function uploadTo({ base, uploads }: { readonly base: string; readonly uploads: string }, command: string) {
  const headers = tusHeaders();
  const created = await fetch(base + uploads, {
    method: "POST",
    headers: { ...headers, "upload-length": String(sealedBytes) },
  });
  const url = new URL(created.headers.get("location") ?? "", base).href;
  const piece = { ...headers, "upload-offset": "0", "content-type": "application/offset+octet-stream" };
  const flags = Object.entries(piece).map(([name, value]) => `-H '${name}: ${value}'`);
  await shell(`${command} -X PATCH ${flags.join(" ")} ${url}`);
  return url;
}

function tusHeaders() {
  return { "tus-resumable": "1.0.0", authorization: `Bearer ${server.token}` };
}

/** Runs a command of the shell in the folder. Throws when it fails. */
async function shell(command: string): Promise<void> {
  const child = Bun.spawn(["bash", "-c", `set -o pipefail; ${command}`], { cwd: folder.path, stdin: "ignore" });
  if ((await child.exited) !== 0) throw new Error(`this has failed: ${command}`);
}

async function startTusd() {
  const port = freePort();
  const flags = ["-host", "127.0.0.1", "-port", String(port), "-upload-dir", pathOf("tusd")];
  const child = Bun.spawn(["tusd", ...flags], { stdin: "ignore", stdout: "ignore", stderr: "ignore" });
  const isThere = () => fetch(`http://127.0.0.1:${port}/`).then(Boolean, () => false);
  while (!(await isThere())) await Bun.sleep(20);
  return {
    port,
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

function writeRandom(path: string): void {
  const file = openSync(path, "w");
  for (let bytes = 0; bytes < BYTES; bytes += PIECE.length) writeSync(file, PIECE);
  closeSync(file);
}

async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  times.push((performance.now() - start) / 1000);
  return result;
}
