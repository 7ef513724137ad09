/** Runs a program to its end and resolves with its standard output. Throws with its last lines when it fails. */
export async function run(
  command: readonly string[],
  { cwd, env = {} }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const [program = ""] = command;
  if (Bun.which(program) === null) throw new Error(`${program} is missing`);
  const child = Bun.spawn([...command], {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...process.env, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (exitCode === 0) return stdout;
  throw new Error(`${program} ended with ${exitCode}: ${(stderr || stdout).trim().slice(-2000)}`);
}
