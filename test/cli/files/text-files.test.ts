import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readTextFile } from "../../../src/cli/files/text-files.ts";

test("a file of text is read whole, and what is no text or never ends is refused", () => {
  const folder = mkdtempSync(join(tmpdir(), "handoff-"));
  try {
    const path = join(folder, "a.txt");
    writeFileSync(path, "zwei\nZeilen: ä\n");
    expect(readTextFile(path)).toBe("zwei\nZeilen: ä\n");
    writeFileSync(path, Buffer.from([0xff, 0xfe]));
    expect(() => readTextFile(path, "--field-file")).toThrow(
      `--field-file: can't read '${path}': it isn't UTF-8 text.`,
    );
    expect(() => readTextFile("/dev/zero")).toThrow("Can't read '/dev/zero': it is larger than 1 MiB.");
    expect(() => readTextFile(join(folder, "absent"))).toThrow("no such file");
    expect(() => readTextFile(folder)).toThrow(`Can't read '${folder}'`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
