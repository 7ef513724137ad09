import { expect, test } from "bun:test";
import { closeSync, constants, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { handoffCommand } from "../support/executable.ts";
import { shareServer } from "../support/people.ts";

const openPlace = shareServer();

/** Resolves once there is something to read. */
async function untilWritten(reader: number): Promise<void> {
  for (;;) {
    try {
      if (readSync(reader, new Uint8Array(1)) > 0) return;
    } catch {
      // Nothing yet.
    }
    await Bun.sleep(10);
  }
}

test("a signal ends a command at once whose output is not read, and the secret can be opened again", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const text = "x".repeat(1_000_000);
  const link = await ann.must(["send"], { stdin: text });
  const pipe = join(ann.home, "pipe");
  await Bun.$`mkfifo ${pipe}`;
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(pipe, "w");
    const child = Bun.spawn([...handoffCommand(), "open", "--yes", link], {
      cwd: ann.home,
      env: { ...ann.env },
      stdin: "ignore",
      stdout: writer,
      stderr: "ignore",
      timeout: 20_000,
      killSignal: "SIGKILL",
    });
    closeSync(writer);
    await untilWritten(reader);
    child.kill(signal);
    await child.exited;
    expect(child.signalCode).toBe(signal);
    closeSync(reader);
  }
  expect((await ann.run(["open", "--yes", link])).stdout).toBe(text);
}, 60_000);

test("a clipboard that does not answer does not block a command", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const program = join(ann.home, "bin/xclip");
  await Bun.write(program, "#!/bin/sh\nexec sleep 60\n");
  await Bun.$`chmod +x ${program}`;
  const env = { PATH: `${join(ann.home, "bin")}:/usr/bin:/bin`, DISPLAY: ":0" };
  const { exitCode, stdout } = await ann.run(["send", "--copy"], { stdin: "text", env });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: expect.stringMatching(/^http/) });
}, 30_000);
