import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { handoffCommand } from "./executable.ts";
import type { Outcome } from "./people.ts";
import { freePort } from "./ports.ts";
import { temporaryFolder } from "./temporary.ts";

/**
 * A machine on which somebody pastes lines of the manual as an admin: with places of its own, and a systemd that knows
 * the unit alone.
 */
export interface Machine extends AsyncDisposable {
  readonly root: string;
  /** The URL at which the unit's server listens. */
  readonly url: string;
  readonly metricsPort: number;
  /** The place that has this path on the machine. */
  place(path: string): string;
  /** Runs lines of bash as they are, up to the first that fails. */
  paste(lines: string): Promise<Outcome>;
  /** The same for lines that must succeed; resolves with standard output. */
  must(lines: string): Promise<string>;
  /** Puts the built executable where `scripts/build` puts it. */
  build(): void;
  /** All that the server has logged. */
  log(): string;
}

/**
 * What systemctl does with the unit of the server, in bash: the same program as systemd would start, with the same
 * environment, credentials and folder. It has none of the sandbox, which the tests of the unit look at, and no user of
 * its own.
 */
const SYSTEMCTL = `#!/bin/bash
set -euo pipefail
unit=ROOT/run/unit pid=ROOT/run/pid
# The unit as it was installed, with the places and the port of this machine.
sed 's|/usr/local/|ROOT&|g; s|/etc/|ROOT&|g; s|127.0.0.1:8080|ADDRESS|' ROOT/etc/systemd/system/handoff.service > $unit
stop() {
  [ -f $pid ] || return 0
  kill "$(cat $pid)" && tail --pid="$(cat $pid)" --sleep-interval 0.05 -f /dev/null
  rm $pid
}
start() {
  mkdir -p ROOT/run/credentials
  { grep '^LoadCredential=' $unit || true; } | sed 's/^LoadCredential=//' | while IFS=: read -r name path; do cp "$path" ROOT/run/credentials/$name; done
  set -a
  # Those of the file come after those of the unit.
  source <({ grep '^Environment=' $unit || true; } | sed 's/^Environment=//; s/ /\\n/g; s|%d|ROOT/run/credentials|g')
  if [ -f ROOT/etc/handoff/env ]; then source ROOT/etc/handoff/env; fi
  set +a
  export STATE_DIRECTORY=ROOT/var/lib/private/handoff
  mkdir -p ROOT/var/lib/private
  mkdir -p -m 700 $STATE_DIRECTORY
  ln -sfn private/handoff ROOT/var/lib/handoff
  before=$(wc -c < ROOT/run/log)
  $(sed -n 's/^ExecStart=//p' $unit) >> ROOT/run/log 2>&1 < /dev/null &
  echo $! > $pid
  until tail -c +$((before + 1)) ROOT/run/log | grep -q '"msg":"listening"'; do kill -0 $! || exit 1; sleep 0.02; done
}
command=$1; shift
# As \`admin\` commands ask.
if [ $command = show ]; then
  [ $1 = handoff.service ] || { echo LoadState=not-found; exit; }
  [ -f ROOT/etc/systemd/system/handoff.service ] || { echo LoadState=not-found; exit; }
  [ -f $pid ] && echo "MainPID=$(cat $pid)" && echo ActiveState=active || echo ActiveState=inactive
  echo LoadState=loaded
  echo StateDirectory=../..ROOT/var/lib/handoff
  echo "ExecStart={ path=x ; argv[]=$(sed -n 's/^ExecStart=//p' ROOT/etc/systemd/system/handoff.service) ; ignore_errors=no }"
  echo "EnvironmentFiles=ROOT/etc/handoff/env (ignore_errors=yes)"
  exit
fi
[[ $command = daemon-reload || " $* " = *" handoff "* ]] || exit 0
case $command in
  daemon-reload) ;;
  start|enable) start ;;
  stop|disable) stop ;;
  restart) stop; start ;;
  reload) kill -HUP "$(cat $pid)" ;;
  *) exit 1 ;;
esac
`;

/** Opens a machine on which nothing is installed. */
export async function openMachine(): Promise<Machine> {
  const folder = temporaryFolder();
  const root = folder.path;
  const place = (path: string) => join(root, path);
  const [port, metricsPort] = [freePort(), freePort()];
  for (const each of ["etc/systemd/system", "etc/prometheus", "usr/local/bin", "var/backups", "run", "home", "stubs"]) {
    mkdirSync(place(each), { recursive: true });
  }
  // What the manual says in an admin's own places and ports, said of those of the machine.
  const moved = (text: string) =>
    text
      .replace(/(?<![\w/])\/(?=(?:etc|usr\/local|var)\/)/g, `${root}/`)
      .replaceAll("127.0.0.1:8080", `127.0.0.1:${port}`)
      .replaceAll("127.0.0.1:9464", `127.0.0.1:${metricsPort}`);
  const script = (path: string, text: string) => {
    writeFileSync(place(path), text);
    chmodSync(place(path), 0o755);
  };
  script("stubs/systemctl", SYSTEMCTL.replaceAll("ROOT", root).replaceAll("ADDRESS", `127.0.0.1:${port}`));
  script("stubs/sudo", '#!/bin/sh\nSUDO_USER=ann exec "$@"\n');
  writeFileSync(place("run/log"), "");
  const paste: Machine["paste"] = async (lines) => {
    const child = Bun.spawn(["bash", "-euo", "pipefail", "-c", moved(lines)], {
      cwd: place("home"),
      env: { PATH: `${root}/stubs:${root}/usr/local/bin:${process.env["PATH"]}`, HOME: place("home") },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { exitCode, stdout, stderr };
  };
  const must = async (lines: string) => {
    const { exitCode, stdout, stderr } = await paste(lines);
    if (exitCode !== 0)
      throw new Error(`${lines}\nended with ${exitCode}: ${stderr}\n${readFileSync(place("run/log"), "utf8")}`);
    return stdout;
  };
  return {
    root,
    url: `http://127.0.0.1:${port}`,
    metricsPort,
    place,
    paste,
    must,
    build() {
      mkdirSync(place("home/dist"), { recursive: true });
      mkdirSync(place("home/scripts"), { recursive: true });
      // Small, to be installed often; what it runs is the executable.
      script("home/dist/handoff", `#!/bin/sh\nexec '${handoffCommand()[0]}' "$@"\n`);
      script("home/scripts/build", "#!/bin/sh\n");
      writeFileSync(place("home/README.md"), "");
    },
    log: () => readFileSync(place("run/log"), "utf8"),
    async [Symbol.asyncDispose]() {
      if (existsSync(place("run/pid"))) await paste("systemctl stop handoff");
      folder[Symbol.dispose]();
    },
  };
}
