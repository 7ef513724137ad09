import { existsSync } from "node:fs";
import { join } from "node:path";

const EXECUTABLE = join(import.meta.dir, "../../dist/handoff");

/** The words that start the compiled executable. Throws when it is not there: `scripts/test` builds it. */
export function handoffCommand(): string[] {
  if (!existsSync(EXECUTABLE)) throw new Error("dist/handoff is missing: run scripts/build first");
  return [EXECUTABLE];
}
