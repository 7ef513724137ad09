import { handoffCommand } from "./executable.ts";
import type { Transcript } from "./program.ts";

/** Runs the compiled executable to its end, 15 seconds at most, with nothing in its environment but `env`. */
export async function runExecutable(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = "/",
): Promise<Transcript> {
  const child = Bun.spawn([...handoffCommand(), ...args], {
    cwd,
    env: { HOME: "/nonexistent", ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: 15_000,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { exitCode, stdout, stderr };
}

/** Mints a key with every scope for secrets, through the admin command over the data in `folder`. */
export async function mintKey(
  folder: string,
  of: readonly string[] = ["secrets:create", "secrets:read", "secrets:claim", "secrets:revoke"],
): Promise<string> {
  const scopes = of.flatMap((scope) => ["--scope", scope]);
  const admin = (...args: readonly string[]) => runExecutable(["admin", ...args, "--data-dir", folder]);
  await admin("team", "create", "team");
  const { stdout, stderr, exitCode } = await admin("key", "create", "--team", "team", "--identity", "test", ...scopes);
  if (exitCode !== 0) throw new Error(`no key could be minted: ${stderr}`);
  return stdout.trim();
}

/** Flags that take the rate limits out of a test's way. */
export const UNLIMITED = ["--calls-per-second", "1000000", "--call-burst", "1000000"] as const;

/** A server as its API shows it to the holder of `token`; `way` says how it is reached if not over TCP. */
export function apiOf(url: string, token: string, way: BunFetchRequestInit = {}) {
  const call = (method: string, path: string, init: RequestInit = {}) =>
    fetch(`${url}/api/v1${path}`, {
      ...way,
      ...init,
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    });
  return {
    create: (ciphertext: string, query = "") =>
      call("POST", `/secrets${query}`, { body: JSON.stringify({ envelope: { version: 1, ciphertext } }) }),
    claim: (id: string) => call("POST", `/secrets/${id}/claim`),
    find: (id: string, query = "") => call("GET", `/secrets/${id}${query}`),
    revoke: (id: string) => call("DELETE", `/secrets/${id}`),
  };
}

/** The body of an answer as JSON. */
// oxlint-disable-next-line typescript/no-explicit-any -- what an answer is made of is what a test asserts
export async function jsonOf(answer: Promise<Response> | Response): Promise<any> {
  return (await answer).json();
}
