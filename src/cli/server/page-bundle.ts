import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PageSources } from "../../http/options.ts";
import { compress } from "../../http/pages/compression.ts";
import { STRINGS } from "../../web/strings.ts";

const WEB = join(import.meta.dir, "../../web");

/**
 * Bundles the page and compresses it. A macro: it runs when the program is bundled, and what it returns becomes a part of the executable.
 * Throws when the page cannot be bundled.
 */
export function bundlePage(): PageSources {
  const folder = mkdtempSync(join(tmpdir(), "handoff-page-"));
  try {
    const build = (entry: string) => {
      const command = [process.execPath, "build", join(WEB, entry), "--minify", "--target=browser", "--outdir", folder];
      const { success, stderr } = Bun.spawnSync(command, { env: { ...process.env, BUN_BE_BUN: "1" } });
      if (!success) throw new Error(`the page cannot be bundled: ${stderr.toString()}`);
    };
    for (const entry of ["main.tsx", "browser/crypto-worker.ts", "styles.css"]) build(entry);
    const read = (name: string) => compress(readFileSync(join(folder, name), "utf8"));
    const { language, direction, name, loading, noScript } = STRINGS;
    const texts = { language, direction, name, loading, noScript };
    return { app: read("main.js"), worker: read("crypto-worker.js"), styles: read("styles.css"), texts };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
