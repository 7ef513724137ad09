/**
 * Resolves with the most memory in bytes that a child process has had, once it has ended. `resourceUsage` of the child
 * also counts what this process had when it started the child (getrusage(2), over execve).
 */
export async function peakMemoryOf({
  pid,
  exitCode,
  exited,
}: Pick<Bun.Subprocess, "pid" | "exitCode" | "exited">): Promise<number> {
  let peak = 0;
  let isOver = exitCode !== null;
  void exited.then(() => (isOver = true));
  while (!isOver) {
    const status = await Bun.file(`/proc/${pid}/status`)
      .text()
      .catch(() => "");
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024);
    await Bun.sleep(50);
  }
  return peak;
}
