/**
 * Ends the processes with the variable `$1` in their environment, and those of the group that the first line names, once
 * nobody holds its standard input open any more: the system closes that when this process ends, however it ends.
 */
const SCRIPT = `read -r group
while read -r _; do :; done
round=0
while [ "$round" -lt 10 ]; do
  found=
  for path in /proc/[0-9]*/environ; do
    if grep -aqs -- "$1=1" "$path"; then
      id=\${path#/proc/}
      kill -9 "\${id%/environ}" && found=1
    fi
  done
  [ -z "$group" ] || { kill -9 -- "-$group" && found=1; }
  [ -n "$found" ] || break
  round=$((round + 1))
done 2>/dev/null`;

/** The guard that ends a command when this process is killed and cannot do it itself. */
export interface OrphanGuard {
  /** To be told of the command once it runs; it leads a group of its own. */
  readonly watch: (group: number) => void;
  /** The command has ended: nothing is left to be done. */
  readonly release: () => void;
}

/** Starts the guard of a command that will have the variable `mark` in its environment. Without a shell there is none. */
export function startOrphanGuard(mark: string): OrphanGuard {
  try {
    const guard = Bun.spawn(["/bin/sh", "-c", SCRIPT, "handoff-guard", mark], {
      env: { PATH: "/usr/bin:/bin" },
      stdio: ["pipe", "ignore", "ignore"],
      // What ends the group of this process, as Ctrl-C does, is not to end the guard.
      detached: true,
    });
    guard.unref();
    return {
      watch(group) {
        const write = async () => {
          await guard.stdin.write(`${group}\n`);
          await guard.stdin.flush();
        };
        // Whoever has ended the guard does without it.
        write().catch(() => undefined);
      },
      release: () => guard.kill("SIGKILL"),
    };
  } catch {
    return { watch: () => undefined, release: () => undefined };
  }
}
