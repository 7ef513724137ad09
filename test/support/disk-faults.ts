import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "./polls.ts";
import { temporaryFolder } from "./temporary.ts";

/** The ways in which a disk can fail, for files of the database alone. */
export type DiskFault =
  /** Every flush fails. */
  | "flush"
  /** The next flush fails, and no other. */
  | "flush-once"
  /** Every flush of the database itself fails, and none of its WAL. */
  | "flush-of-database"
  /** A flush never returns. */
  | "flush-hangs"
  /** Every write fails, of the ballast too. */
  | "write"
  /** Every write fails as where a quota is used up. */
  | "write-quota"
  /** Every write fails as on a disk that was made read-only. */
  | "write-read-only"
  /** Every read fails. */
  | "read";

/** A disk that fails when a test says so, for the programs that are started with `env`. */
export interface FaultyDisk extends Disposable {
  readonly env: Readonly<Record<string, string>>;
  start(fault: DiskFault): void;
  stop(fault: DiskFault): void;
  /** True when `fault` is in force; a `flush-once` that has happened no longer is. */
  isOn(fault: DiskFault): boolean;
  /** Resolves once a program hangs in a flush. */
  hanging(): Promise<void>;
}

/** The system calls with which SQLite reads, writes and flushes, failing while a file of the fault's name is there. */
const SOURCE = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void path_of(const char *name, char *path) {
  snprintf(path, 4096, "%s/%s", FAULTS, name);
}
static int is_on(const char *name) {
  char path[4096];
  path_of(name, path);
  return access(path, F_OK) == 0;
}
static int is_database(int fd) {
  char link[64], target[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, target, sizeof target - 1);
  if (length < 0) return 0;
  target[length] = 0;
  return strstr(target, "/handoff.db") != NULL;
}
static int is_ballast(int fd) {
  char link[64], target[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, target, sizeof target - 1);
  if (length < 0) return 0;
  target[length] = 0;
  return strstr(target, "/ballast") != NULL;
}
static int is_wal(int fd) {
  char link[64], target[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, target, sizeof target - 1);
  return length > 4 && memcmp(target + length - 4, "-wal", 4) == 0;
}
static int fails(int fd) {
  char path[4096];
  if (!is_database(fd)) return 0;
  if (is_on("flush-hangs")) {
    path_of("hanging", path);
    close(open(path, O_CREAT | O_WRONLY, 0600));
    while (is_on("flush-hangs")) usleep(5000);
  }
  if (is_on("flush-of-database") && !is_wal(fd)) return 1;
  path_of("flush-once", path);
  return unlink(path) == 0 || is_on("flush");
}
static int failure(void) { errno = EIO; return -1; }
static int cannot_write(int fd) {
  errno = is_on("write") ? EIO : is_on("write-quota") ? EDQUOT : is_on("write-read-only") ? EROFS : 0;
  return errno != 0 && (is_database(fd) || is_ballast(fd));
}

int fsync(int fd) {
  if (fails(fd)) return failure();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd);
}
int fdatasync(int fd) {
  if (fails(fd)) return failure();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(fd);
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset) {
  if (cannot_write(fd)) return -1;
  return ((ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64"))(fd, data, size, offset);
}
ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) { return pwrite64(fd, data, size, offset); }
ssize_t write(int fd, const void *data, size_t size) {
  if (cannot_write(fd)) return -1;
  return ((ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write"))(fd, data, size);
}
ssize_t pread64(int fd, void *data, size_t size, off64_t offset) {
  if (is_on("read") && is_database(fd)) return failure();
  return ((ssize_t (*)(int, void *, size_t, off64_t))dlsym(RTLD_NEXT, "pread64"))(fd, data, size, offset);
}
ssize_t pread(int fd, void *data, size_t size, off_t offset) { return pread64(fd, data, size, offset); }
`;

/** Makes a disk that works until it is told to fail. Throws when gcc can't build what it takes. */
export function makeFaultyDisk(): FaultyDisk {
  const folder = temporaryFolder();
  const source = join(folder.path, "faults.c");
  const library = join(folder.path, "faults.so");
  writeFileSync(source, SOURCE);
  const args = ["-shared", "-fPIC", "-O1", `-DFAULTS="${folder.path}"`, "-o", library, source, "-ldl"];
  const built = Bun.spawnSync(["gcc", ...args]);
  if (!built.success) throw new Error(`gcc could not build the faulty disk: ${built.stderr.toString()}`);
  const path = (fault: string) => join(folder.path, fault);
  return {
    env: { LD_PRELOAD: library },
    start: (fault) => writeFileSync(path(fault), ""),
    stop: (fault) => rmSync(path(fault), { force: true }),
    isOn: (fault) => existsSync(path(fault)),
    async hanging() {
      await until(() => existsSync(path("hanging")));
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
