import { afterEach, beforeEach, expect, test } from "bun:test";
import { chownSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readTextFile } from "../../../src/cli/files/text-files.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { createTestTerminal } from "../../support/terminals.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => void (folder = temporaryFolder()));
afterEach(() => folder[Symbol.dispose]());

const read = (path: string, flag?: string) => readTextFile(createTestTerminal({}), path, flag);

async function makePipe(): Promise<string> {
  const path = join(folder.path, "pipe");
  await Bun.$`mkfifo ${path}`;
  return path;
}

test("a file of text is read whole, and what is no text or never ends is refused", async () => {
  const path = join(folder.path, "a.txt");
  writeFileSync(path, "zwei\nZeilen: ä\n");
  expect(await read(path)).toBe("zwei\nZeilen: ä\n");
  writeFileSync(path, Buffer.from([0xff, 0xfe]));
  expect(read(path, "--field-file")).rejects.toThrow(`--field-file: can't read '${path}': it isn't UTF-8 text.`);
  expect(read("/dev/zero")).rejects.toThrow("Can't read '/dev/zero': it is larger than 1 MiB.");
  expect(read(join(folder.path, "absent"))).rejects.toThrow("no such file");
  expect(read(folder.path)).rejects.toThrow(`Can't read '${folder.path}'`);
});

test("a pipe of one's own is read when somebody writes to it, and to its end", async () => {
  const path = await makePipe();
  const reading = read(path);
  const writing = Bun.spawn(["sh", "-c", 'exec >"$0"; printf "first "; sleep 0.1; printf second', path]);
  expect(await reading).toBe("first second");
  await writing.exited;
});

test("an interruption ends the wait for a pipe", async () => {
  const path = await makePipe();
  const interruption = new AbortController();
  const reading = readTextFile({ interruptible: () => interruption.signal }, path);
  interruption.abort();
  expect(reading).rejects.toThrow("Interrupted.");
});

test.if(process.getuid?.() === 0)("a pipe of another user isn't waited for", async () => {
  const path = await makePipe();
  chownSync(path, 65_534, 65_534);
  const interrupted = { interruptible: () => AbortSignal.abort() };
  expect(readTextFile(interrupted, path, "--link-file")).rejects.toThrow(
    `--link-file: can't read '${path}': it's a pipe of another user, who may never write to it.`,
  );
});
