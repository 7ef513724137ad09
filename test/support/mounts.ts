import { temporaryFolder } from "./temporary.ts";

/**
 * A file system of its own of `size`, for its owner alone (such as `8m`), unmounted when it goes out of scope. Throws
 * when this process may not mount: the tests of full and read-only disks need root, as in CI.
 */
export function mountTmpfs(size: string, ...options: readonly string[]): { readonly path: string } & Disposable {
  const folder = temporaryFolder();
  const { path } = folder;
  const mounted = Bun.spawnSync([
    "mount",
    "-t",
    "tmpfs",
    "-o",
    [`size=${size}`, "mode=700", ...options].join(","),
    "tmpfs",
    path,
  ]);
  if (!mounted.success) {
    folder[Symbol.dispose]();
    throw new Error(`this test has to mount a tmpfs, which needs root: ${mounted.stderr.toString().trim()}`);
  }
  return {
    path,
    [Symbol.dispose]() {
      const { success, stderr } = Bun.spawnSync(["umount", path]);
      if (!success) throw new Error(`cannot unmount ${path}: ${stderr.toString().trim()}`);
      folder[Symbol.dispose]();
    },
  };
}

/** Mounts the file system at `path`, which is one of `mountTmpfs`, once more: for reading alone, or for writing too. */
export function remount(path: string, how: "ro" | "rw"): void {
  const { success, stderr } = Bun.spawnSync(["mount", "-o", `remount,${how}`, path]);
  if (!success) throw new Error(`cannot mount ${path} as ${how}: ${stderr.toString().trim()}`);
}
