import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { handoffCommand } from "../support/executable.ts";
import { openPlace } from "../support/people.ts";
import { until } from "../support/polls.ts";

/** The core dump line in the limits of a process. */
const CORE = /^Max core file size +(\S+)/m;

test("no command dumps core when it crashes, whatever the limit was, nor do its children", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  await Bun.write(join(ann.home, "link"), await ann.must(["send"], { stdin: "precious" }));
  // As in developers' shells.
  const start = (args: readonly string[]) =>
    Bun.spawn(["sh", "-c", 'ulimit -c "$(ulimit -H -c)" && exec "$@"', "sh", ...handoffCommand(), ...args], {
      cwd: ann.home,
      env: { ...ann.env },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "ignore",
    });
  const data = join(ann.home, "data");
  for (const args of [
    ["open"],
    ["mcp", "--allow-dir", "."],
    ["serve", "--listen", "127.0.0.1:0", "--data-dir", data],
  ]) {
    const child = start(args);
    try {
      // Each of them waits for input or a change.
      await until(() => CORE.exec(readFileSync(`/proc/${child.pid}/limits`, "utf8"))?.[1] === "0");
      expect({ args, exitCode: child.exitCode }).toEqual({ args, exitCode: null });
    } finally {
      child.kill("SIGKILL");
      await child.exited;
    }
  }
  const child = start(["run", "--env", "S=@link", "--", "sh", "-c", "ulimit -S -c"]);
  expect(await child.stdout.text()).toBe("0\n");
}, 30_000);
