import { fstatSync, readFileSync } from "node:fs";

/**
 * True when a container or service manager provides the open file: its mode is 0440 or 0444, and it belongs to root or
 * is on a read-only mount. The user can't make it more private, and only its provider can change it.
 */
export function isProvided(file: number): boolean {
  const { mode, uid } = fstatSync(file);
  const isReadOnly = (mode & 0o777) === 0o440 || (mode & 0o777) === 0o444;
  return isReadOnly && (uid === 0 || isOnReadOnlyMount(file));
}

/** Reads the mount of a descriptor on Linux (proc_pid_fdinfo(5), proc_pid_mountinfo(5)); false elsewhere. */
function isOnReadOnlyMount(file: number): boolean {
  try {
    const id = /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${file}`, "utf8"))?.[1];
    const lines = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
    const fields = lines.map((line) => line.split(" ")).find(([mount]) => mount === id);
    // The options of the mount, and of the mounted file system.
    const options = [fields?.[5], fields?.at(-1)].flatMap((each) => each?.split(",") ?? []);
    return id !== undefined && options.includes("ro");
  } catch {
    return false;
  }
}
