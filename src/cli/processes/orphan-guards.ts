/**
 * Waits for the end of its standard input, which the system closes when this process ends in any way. Then ends the
 * processes with the variable `$1` in their environment, and the group that the first line of the input names: first
 * with SIGTERM, and after a second with SIGKILL.
 */
const SCRIPT = `read -r group
while read -r _; do :; done
round=0
while [ "$round" -lt 20 ]; do
  case "$round" in 0) signal=TERM ;; ?) signal=0 ;; *) signal=KILL ;; esac
  found=
  for path in $(grep -als -- "$1=1" /proc/[0-9]*/environ); do
    id=\${path#/proc/}
    kill "-$signal" "\${id%/environ}" && found=1
  done
  [ -z "$group" ] || { kill "-$signal" -- "-$group" && found=1; }
  [ -n "$found" ] || break
  sleep 0.1
  round=$((round + 1))
done 2>/dev/null`;

/** Ends the processes that a command leaves running, even when this process is killed. */
export interface OrphanGuard {
  /**
   * The variables by which it finds processes that have left the command's group. It doesn't find those that cleared
   * their environment, and none where there is no /proc.
   */
  readonly env: Readonly<Record<string, string>>;
  /** Names the group that the command leads. */
  readonly watch: (group: number) => void;
  /** Ends what still runs. Resolves when it has ended. */
  readonly end: () => Promise<void>;
}

/** Starts the guard of a command. Without a shell, it does nothing. */
export function startOrphanGuard(): OrphanGuard {
  // Nested commands have several marks.
  const mark = `HANDOFF_RUN_${crypto.randomUUID().replaceAll("-", "")}`;
  const env = { [mark]: "1" };
  try {
    const guard = Bun.spawn(["/bin/sh", "-c", SCRIPT, "handoff-guard", mark], {
      env: { PATH: "/usr/bin:/bin" },
      stdio: ["pipe", "ignore", "ignore"],
      // Ctrl-C ends the group of this process, and must not end the guard.
      detached: true,
    });
    guard.unref();
    const flush = async () => void (await guard.stdin.flush());
    return {
      env,
      watch(group) {
        void guard.stdin.write(`${group}\n`);
        // A guard that was killed does nothing.
        flush().catch(() => undefined);
      },
      async end() {
        await Promise.resolve(guard.stdin.end()).catch(() => undefined);
        await guard.exited;
      },
    };
  } catch {
    return { env, watch: () => undefined, end: () => Promise.resolve() };
  }
}

/** Sends a signal to a group of processes, if it still exists. */
export function killGroup(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-id, signal);
  } catch {
    // It has ended meanwhile.
  }
}
