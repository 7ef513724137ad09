import { expect, test } from "bun:test";
import { join } from "node:path";

const WORKER = join(import.meta.dir, "../../../src/web/browser/worker.ts");
const SECRET = "correct horse battery";

/** The result of a job for the page, and the lines on the browser's console. */
async function runJob(job: object): Promise<{ readonly answer: unknown; readonly console: string }> {
  const script = `
    const worker = new Worker(${JSON.stringify(WORKER)}, { type: "module" });
    worker.onmessage = ({ data }) => { console.log(JSON.stringify(data)); process.exit(0); };
    worker.postMessage(${JSON.stringify(job)});`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { answer: JSON.parse(stdout), console: stderr };
}

test("an unforeseen failure of the worker logs its place, and nothing of the secret", async () => {
  const { answer, console } = await runJob({ kind: "send", content: { kind: "files", files: SECRET } });
  expect(answer).toEqual({ ok: false, code: "internal" });
  expect(console).toContain('the job \'send\' failed. Please report this: {"error":"TypeError"');
  expect(console).toMatch(/at [^"]*worker|at [^"]*contents/);
  expect(console).not.toContain(SECRET);
}, 30_000);

test("an expected failure of the worker returns its code, and logs nothing", async () => {
  const envelope = { version: 1, ciphertext: "YWdl" };
  const key = { kind: "ageIdentities", ageIdentities: [] };
  expect(await runJob({ kind: "open", envelope, key })).toEqual({
    answer: { ok: false, code: "decryption_failed" },
    console: "",
  });
  expect(await runJob({ kind: "recipient", identity: `AGE-SECRET-KEY-${SECRET}` })).toEqual({
    answer: { ok: true },
    console: "",
  });
}, 30_000);
