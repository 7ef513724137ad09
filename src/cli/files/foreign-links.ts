import { lstatSync, readlinkSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";

/** As many links as a kernel follows. */
const MAX_LINKS = 40;

/**
 * The first link on the way to `path`, or at it, that neither this user nor root made; undefined for none. Somebody may
 * have made it to lead what is written to another folder. Throws what node:fs throws.
 */
export function findForeignLink(path: string): string | undefined {
  const rest = resolve(path).split(sep);
  let at: string = sep;
  let links = 0;
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    if (part === "..") at = dirname(at);
    if (["", ".", ".."].includes(part)) continue;
    const next = join(at, part);
    const stats = lstatSync(next, { throwIfNoEntry: false });
    if (!stats) return undefined;
    if (!stats.isSymbolicLink()) {
      at = next;
      continue;
    }
    if (stats.uid !== 0 && stats.uid !== process.geteuid?.()) return next;
    if (++links > MAX_LINKS) return undefined;
    const target = readlinkSync(next);
    if (target.startsWith(sep)) at = sep;
    rest.unshift(...target.split(sep));
  }
  return undefined;
}
