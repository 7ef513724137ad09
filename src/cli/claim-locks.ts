import { readFileSync, rmSync } from "node:fs";
import { createPrivateFile, readPrivateFile } from "./private-files.ts";
import { claimPath } from "./pending-claims.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Takes a secret of the server at `baseUrl` for one call alone, until it is disposed of, also among all processes of this
 * user. Returns undefined when another call has it. A lock that a dead process has left is taken over; where processes
 * cannot be looked at, as there is no /proc, every lock is. Throws CommandError.
 */
export function lockClaim(terminal: Terminal, baseUrl: string, secretId: string): Disposable | undefined {
  const path = `${claimPath(terminal, baseUrl, secretId)}.lock`;
  const own = `${process.pid} ${startOf(process.pid) ?? ""}\n`;
  if (!createPrivateFile(path, own)) {
    const [, pid = "", start = ""] = /^(\d+) (\d+)\n$/.exec(readPrivateFile(path) ?? "") ?? [];
    if (start !== "" && startOf(Number(pid)) === start) return undefined;
    rmSync(path, { force: true });
    if (!createPrivateFile(path, own)) return undefined;
  }
  return { [Symbol.dispose]: () => rmSync(path, { force: true }) };
}

/** When a process was started, as the kernel counts (proc_pid_stat(5)); undefined when there is none. Ids are used again. */
function startOf(pid: number): string | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\)/s, "").trim().split(" ");
    return fields[19];
  } catch {
    return undefined;
  }
}
