import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";

const DATA = join(import.meta.dir, "../../.data");

/**
 * An empty folder in the repository, removed when it goes out of scope. A machine's temporary folder may be in memory.
 */
export function benchFolder(): { readonly path: string } & Disposable {
  mkdirSync(DATA, { recursive: true });
  const path = mkdtempSync(join(DATA, "bench-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
