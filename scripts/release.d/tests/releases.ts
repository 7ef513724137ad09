import { readdirSync } from "node:fs";
import { join } from "node:path";

/** The path of the release's file whose name ends so. Throws when there is none, or several. */
export function fileOfRelease(end: string): string {
  const directory = process.env["HANDOFF_RELEASE"];
  if (!directory) throw new Error("run scripts/release-tests, which names the directory of a release");
  const found = readdirSync(directory).filter((name) => name.endsWith(end));
  if (found.length !== 1) throw new Error(`'${directory}' has ${found.length} files whose names end with '${end}'`);
  return join(directory, found[0] ?? "");
}
