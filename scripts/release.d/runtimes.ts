import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { run } from "./commands.ts";

const FOLDER = ".tools/runtimes";

/**
 * The path of the Bun for another machine, from the npm package `@oven/bun-NAME`. It is downloaded once, and has the
 * version and the checksum of bun.lock. Throws when it can't be had.
 */
export async function findRuntime(name: string): Promise<string> {
  const version = packageJson.devDependencies.bun;
  const folder = join(FOLDER, `bun-${name}-${version}`);
  const executable = join(folder, "bin", name.startsWith("windows") ? "bun.exe" : "bun");
  if (existsSync(executable)) return executable;
  const made = `${folder}.new`;
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made, { recursive: true });
  await run(["npm", "pack", "--silent", "--pack-destination", made, `@oven/bun-${name}@${version}`]);
  const archive = join(made, `oven-bun-${name}-${version}.tgz`);
  const found = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
  const expected = lockedIntegrity(`@oven/bun-${name}`);
  if (found !== expected) throw new Error(`@oven/bun-${name} has the checksum ${found}, and bun.lock has ${expected}`);
  await run(["tar", "-xzf", archive, "-C", made, "--strip-components=1", "--no-same-owner"]);
  rmSync(archive);
  renameSync(made, folder);
  return executable;
}

function lockedIntegrity(name: string): string {
  const lock = Bun.JSONC.parse(readFileSync("bun.lock", "utf8")) as { packages: Record<string, readonly unknown[]> };
  return String(lock.packages[name]?.at(-1));
}
