import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Transcript } from "./program.ts";
import { temporaryFolder } from "./temporary.ts";

interface Shown {
  readonly pid?: number;
  readonly state?: string;
  readonly result?: string;
  readonly reload?: "yes" | "no";
  /** The command of the service, behind the name of the program. */
  readonly serve?: string;
  /** More variables of its environment. */
  readonly environment?: string;
  /** More lines. */
  readonly more?: string;
}

type Run = (args: readonly string[], env: Readonly<Record<string, string>>) => Promise<Transcript>;

/**
 * A machine with a service: `systemctl show` prints what systemd 252 prints for such a unit, and its EnvironmentFile=
 * can be written. `run` runs `admin check` there.
 */
export function openServiceMachine(run: Run) {
  const folder = temporaryFolder();
  const [bin, data, file] = [join(folder.path, "bin"), join(folder.path, "data"), join(folder.path, "env")];
  const unit = join(folder.path, "handoff.service");
  mkdirSync(bin);
  mkdirSync(`${unit}.d`);
  const shown = ({
    pid = 0,
    state = "active",
    result = "success",
    reload = "no",
    serve = `serve --data-dir ${data}`,
    environment = "",
    more = "",
  }: Shown) => `MainPID=${pid}
Result=${result}
ExecStart={ path=/usr/local/bin/handoff ; argv[]=/usr/local/bin/handoff ${serve} ; ignore_errors=no ; start_time=[n/a] ; stop_time=[n/a] ; pid=0 ; code=(null) ; status=0/0 }
Environment=HANDOFF_LISTEN=127.0.0.1:0 HANDOFF_REQUIRE_ENCRYPTED=true "HANDOFF_BRAND_NAME=Two words" ${environment}
FragmentPath=${unit}
DropInPaths=${unit}.d/10.conf ${unit}.d/20.conf
EnvironmentFiles=${file} (ignore_errors=yes)
StateDirectory=handoff
LoadState=loaded
ActiveState=${state}
NeedDaemonReload=${reload}
${more}`;
  const backups = { service: "LoadState=not-found\nActiveState=inactive\n", timer: "LoadState=not-found\n" };
  const systemctl = (text: string, exitCode = 0) => {
    const print = (of: string, what: string) => `${of}) /bin/cat <<'END'\n${what}END\n;;\n`;
    const { service, timer } = backups;
    const cases = print("*-backup.service", service) + print("*-backup.timer", timer) + print("*", text);
    writeFileSync(join(bin, "systemctl"), `#!/bin/sh\ncase $2 in\n${cases}esac\nexit ${exitCode}\n`);
    chmodSync(join(bin, "systemctl"), 0o755);
  };
  const check = async (flags: readonly string[] = [], env: Readonly<Record<string, string>> = {}) => {
    const { exitCode, stdout } = await run(["admin", "check", "--json", ...flags], { PATH: bin, ...env });
    const findings: readonly { check: string; level: string; text: string }[] = JSON.parse(stdout);
    return { exitCode, found: Object.fromEntries(findings.map((each) => [each.check, each])) };
  };
  return {
    folder: folder.path,
    bin,
    data,
    unit,
    write: (lines: string | Uint8Array) => writeFileSync(file, lines),
    show: (facts: Shown) => systemctl(shown(facts)),
    /** What `systemctl show` prints for the units of backups, from the next `show` on. */
    backups,
    systemctl,
    check,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
