import { join } from "node:path";
import { temporaryFolder } from "./temporary.ts";

const SOURCE = join(import.meta.dir, "../../src/store/sqlite/assembly/writer-thread.ts");

let built: Promise<string> | undefined;

/**
 * Returns the path of the program of the writer's thread, bundled as in the executable: a thread loads it in half the
 * time of its modules. `scripts/test` bundles it once for all tests.
 */
export async function writerProgram(): Promise<string> {
  return process.env["TEST_WRITER_PROGRAM"] ?? (built ??= buildForThisProcess());
}

async function buildForThisProcess(): Promise<string> {
  const folder = temporaryFolder();
  process.on("exit", () => folder[Symbol.dispose]());
  await Bun.build({ entrypoints: [SOURCE], target: "bun", outdir: folder.path });
  return join(folder.path, "writer-thread.js");
}
