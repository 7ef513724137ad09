import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./commands.ts";

const NAME = "SHA256SUMS";

/** Writes `SHA256SUMS` of all files in `directory` and, with the path of a key, its signature by minisign. */
export async function writeChecksums(directory: string, key: string | undefined): Promise<void> {
  const names = readdirSync(directory)
    .filter((name) => !name.startsWith(NAME))
    .toSorted();
  const lines = await Promise.all(names.map(async (name) => `${await sha256Of(join(directory, name))}  ${name}\n`));
  const path = join(directory, NAME);
  writeFileSync(path, lines.join(""));
  if (key) await run(["minisign", "-S", "-s", key, "-m", path, "-t", "handoff"]);
}

async function sha256Of(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(path).stream()) hasher.update(chunk);
  return hasher.digest("hex");
}
