import { join } from "node:path";

const SCRIPT = join(import.meta.dir, "store-process.ts");

export interface ProcessClaim {
  readonly id: string;
  readonly ciphertext: string;
}

/**
 * Opens the store in `folder` in as many processes as there are lists in `wanted`, all at once; when all are open, lets
 * each claim the secrets of its list. Resolves with what each of them got. Throws when one fails.
 */
export async function claimInProcesses(
  folder: string,
  teamId: string,
  wanted: readonly (readonly string[])[],
): Promise<ProcessClaim[][]> {
  const children = wanted.map((ids) => ({
    ids,
    child: Bun.spawn([process.execPath, SCRIPT, folder, teamId], { stdin: "pipe", stdout: "pipe", stderr: "inherit" }),
  }));
  try {
    const outputs = children.map(({ child }) => linesOf(child.stdout));
    for (const output of outputs) {
      if ((await output.next()).value !== "open") throw new Error("a process could not open the store");
    }
    for (const { child, ids } of children) {
      void child.stdin.write(JSON.stringify(ids));
      void child.stdin.end();
    }
    return await Promise.all(outputs.map(async (output) => JSON.parse((await output.next()).value ?? "null")));
  } finally {
    for (const { child } of children) child.kill("SIGKILL");
    await Promise.all(children.map(({ child }) => child.exited));
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  return undefined;
}
