import { fstatSync, readFileSync } from "node:fs";

/**
 * True when an open file is one that a container or service manager provides: 0440 or 0444, and root's or on a
 * read-only mount. Its user cannot make it more private, and nobody but the one who provides it can change it.
 */
export function isProvided(file: number): boolean {
  const { mode, uid } = fstatSync(file);
  const isReadOnly = (mode & 0o777) === 0o440 || (mode & 0o777) === 0o444;
  return isReadOnly && (uid === 0 || isOnReadOnlyMount(file));
}

/** From what Linux says of the mount of a descriptor (proc_pid_fdinfo(5), proc_pid_mountinfo(5)); false elsewhere. */
function isOnReadOnlyMount(file: number): boolean {
  try {
    const id = /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${file}`, "utf8"))?.[1];
    const lines = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
    const fields = lines.map((line) => line.split(" ")).find(([mount]) => mount === id);
    // Of the mount, and of the file system that is mounted.
    const options = [fields?.[5], fields?.at(-1)].flatMap((each) => each?.split(",") ?? []);
    return id !== undefined && options.includes("ro");
  } catch {
    return false;
  }
}
