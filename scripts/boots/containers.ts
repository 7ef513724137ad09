import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A Debian system that has booted in a container, without a network but its own loopback. */
export interface Container extends AsyncDisposable {
  /** The path, outside of the container, of this path in it. */
  place(path: string): string;
  /** Runs lines of bash as root, up to the first that fails. */
  paste(lines: string): Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }>;
  /** The same for lines that must succeed; resolves with standard output. */
  must(lines: string): Promise<string>;
}

/** The folder in which lines are run. */
const HOME = "/root/handoff";
const ENVIRONMENT = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin", HOME: "/root", LC_ALL: "C.UTF-8" };

/** Boots the Debian system in the folder `root`. Changes there stay. */
export async function bootContainer(root: string): Promise<Container> {
  const log = join(root, "..", "boot.log");
  const child = Bun.spawn(
    // The container ends with this process, however that ends.
    ["setpriv", "--pdeathsig=TERM", "systemd-nspawn", "--quiet", "--boot", `--directory=${root}`].concat(
      ["--machine=handoff", "--register=no", "--keep-unit", "--private-network", "--link-journal=no"],
      ["--timezone=off", "--resolv-conf=off", "--console=read-only"],
    ),
    { stdin: "ignore", stdout: Bun.file(log), stderr: Bun.file(log) },
  );
  const fail = (why: string) => new Error(`${why}\n${readFileSync(log, "utf8").slice(-4000)}`);
  const paste: Container["paste"] = async (lines) => {
    const init = initOf(child.pid);
    if (init === undefined) throw fail("the container isn't running");
    const bash = ["bash", "-euo", "pipefail", "-c", `cd ${HOME}\n${lines}`];
    const inside = Bun.spawn(["nsenter", `--target=${init}`, "--all", ...bash], {
      env: ENVIRONMENT,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr, exitCode] = await Promise.all([inside.stdout.text(), inside.stderr.text(), inside.exited]);
    return { exitCode, stdout, stderr };
  };
  const container: Container = {
    place: (path) => join(root, path),
    paste,
    async must(lines) {
      const { exitCode, stdout, stderr } = await paste(lines);
      if (exitCode === 0) return stdout;
      const { stdout: journal } = await paste("journalctl --no-pager -n 40");
      throw new Error(`${lines}\nended with ${exitCode}: ${stdout}${stderr}\n${journal}`);
    },
    async [Symbol.asyncDispose]() {
      // This powers the container off.
      child.kill("SIGTERM");
      const late = setTimeout(() => child.kill("SIGKILL"), 60_000);
      await child.exited;
      clearTimeout(late);
    },
  };
  // Nothing tells from outside when systemd is ready.
  while (child.exitCode === null) {
    const state = initOf(child.pid) === undefined ? undefined : await paste("systemctl is-system-running --wait");
    if (/running|degraded/.test(state?.stdout ?? "")) return container;
    await Bun.sleep(200);
  }
  throw fail("the container didn't boot");
}

/** The first process of the container; undefined before its start and after its end. */
function initOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim() || undefined;
  } catch {
    // It has ended.
    return undefined;
  }
}

/**
 * Prepares the Debian system in `root`, before it boots, with what the manual's lines expect on a sysadmin's machine.
 */
export function furnish(root: string, executable: string, readme: string): void {
  const write = (path: string, text: string | Uint8Array, mode: number) =>
    writeFileSync(join(root, path), text, { mode });
  Bun.spawnSync(["mkdir", "-p", join(root, HOME, "dist"), join(root, HOME, "scripts")]);
  write(`${HOME}/dist/handoff`, readFileSync(executable), 0o755);
  write(`${HOME}/scripts/build`, "#!/bin/sh\n", 0o755);
  write(`${HOME}/README.md`, readFileSync(readme), 0o644);
  write("usr/local/bin/sudo", '#!/bin/sh\nexec "$@"\n', 0o755);
  write("etc/hosts", "127.0.0.1 localhost handoff.example\n", 0o644);
  for (const unit of ["nginx", "caddy"]) {
    Bun.spawnSync(["systemctl", `--root=${root}`, "disable", unit], { stderr: "ignore" });
  }
}
