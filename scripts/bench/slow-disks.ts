import { writeFileSync } from "node:fs";
import { join } from "node:path";

const SOURCE = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>

int fsync(int fd) {
  usleep(FLUSH_MICROSECONDS);
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd);
}
int fdatasync(int fd) {
  usleep(FLUSH_MICROSECONDS);
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(fd);
}
`;

/**
 * The environment of a program whose every flush takes `flushMs` longer, as on a cloud's disk. Builds a library in
 * `folder` with gcc; throws without gcc.
 */
export function slowDisk(folder: string, flushMs: number): Record<string, string> {
  const [source, library] = [join(folder, "slow-disk.c"), join(folder, "slow-disk.so")];
  writeFileSync(source, SOURCE);
  const delay = `-DFLUSH_MICROSECONDS=${flushMs * 1000}`;
  const built = Bun.spawnSync(["gcc", "-shared", "-fPIC", "-O1", delay, "-o", library, source, "-ldl"]);
  if (!built.success) throw new Error(`gcc could not build the slow disk: ${built.stderr.toString()}`);
  return { LD_PRELOAD: library };
}
