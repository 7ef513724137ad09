import { expect, test } from "bun:test";
import { closeSync, constants, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { createDelayedLines } from "../../../src/cli/terminal/delayed-lines.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const LINES = Array.from({ length: 200 }, (_, number) => `line ${number}\n`);
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A pipe that nobody waits for, with room for 64 KiB. */
function openPipe(folder: string): number {
  const path = join(folder, "pipe");
  Bun.spawnSync(["mkfifo", path]);
  return openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
}

function readAll(descriptor: number): string {
  const buffer = Buffer.alloc(4 * 1024 * 1024);
  let size = 0;
  try {
    for (;;) size += readSync(descriptor, buffer, size, buffer.length - size, null);
  } catch {
    return buffer.toString("utf8", 0, size);
  }
}

test("lines of one turn are written in order, in the next, or when they are flushed", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "log");
  const descriptor = openSync(path, "a");
  const lines = createDelayedLines(descriptor);
  for (const line of LINES) lines.add(line);
  expect(readFileSync(path, "utf8")).toBe("");
  await turn();
  expect(readFileSync(path, "utf8")).toBe(LINES.join(""));
  lines.add("one more\n");
  lines.flush();
  lines.add("the last\n");
  lines.finish();
  expect(readFileSync(path, "utf8")).toBe(`${LINES.join("")}one more\nthe last\n`);
  await turn();
  expect(readFileSync(path, "utf8")).toEndWith("one more\nthe last\n");
  closeSync(descriptor);
});

test("what cannot be written is lost, and later lines are tried again", async () => {
  using folder = temporaryFolder();
  const closed = openSync(join(folder.path, "log"), "a");
  closeSync(closed);
  for (const descriptor of [closed, openSync("/dev/full", "w")]) {
    const lines = createDelayedLines(descriptor);
    lines.add("lost\n");
    await turn();
    lines.add("lost too\n");
    lines.finish();
  }
});

test("nobody waits for a full pipe: its lines come when it is read, whole and in order, a mebibyte of them", async () => {
  using folder = temporaryFolder();
  const pipe = openPipe(folder.path);
  const lines = createDelayedLines(pipe);
  const long = (number: number) => `${String(number).padStart(9)} ${"x".repeat(1014)}\n`;
  const started = Array.from({ length: 4096 }, (_, number) => long(number));
  for (const line of started) {
    lines.add(line);
    lines.flush();
  }
  let read = "";
  while (!read.endsWith("after\n")) {
    const piece = readAll(pipe);
    read += piece;
    if (piece === "") lines.add("after\n");
    await Bun.sleep(1);
  }
  const kept = read.split("\n").filter((line) => line.includes("x"));
  expect(kept.map((line) => `${line}\n`)).toEqual(started.slice(0, kept.length));
  expect(kept.length).toBeGreaterThan(1024);
  expect(kept.length).toBeLessThan(1024 + 128);
  closeSync(pipe);
});

test("the log of a process is written to its end, whatever ends it, and what is said comes in its place", async () => {
  const program = `
    import { createProcessTerminal } from "${join(import.meta.dir, "../../../src/cli/terminal/process-terminal.ts")}";
    const terminal = createProcessTerminal({}, {});
    terminal.log("one\\n");
    terminal.log("two\\n");
    terminal.say("three");
    terminal.log("four\\n");
    process.on("uncaughtException", () => {
      terminal.say("five");
      terminal.log("six\\n");
      process.exit(3);
    });
    process.on("SIGTERM", () => process.exit(3));
  `;
  for (const end of [
    "process.exit(3)",
    "throw new Error()",
    'process.kill(process.pid, "SIGTERM"); Bun.sleepSync(10)',
  ]) {
    const child = Bun.spawn([process.execPath, "-e", `${program}\n${end}`], { stderr: "pipe" });
    const said = (await child.stderr.text()).split("\n").join(" ");
    expect({ end, said, exitCode: await child.exited }).toEqual({
      end,
      said: end.startsWith("throw") ? "one two three four five six " : "one two three four ",
      exitCode: 3,
    });
  }
});
