import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";

const DATA = join(import.meta.dir, "../../.data");

/**
 * An empty folder, removed when it goes out of scope. In the repository: the temporary folder of a machine may be
 * memory.
 */
export function benchFolder(): { readonly path: string } & Disposable {
  mkdirSync(DATA, { recursive: true });
  const path = mkdtempSync(join(DATA, "bench-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
