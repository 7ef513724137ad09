import { expect, test } from "bun:test";
import { join } from "node:path";
import { EntryNameError } from "../../../src/crypto/entry-names.ts";
import { zipFiles, zipStream } from "../../../src/web/contents/archives.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const file = (name: string, text = name) => ({
  name,
  bytes: new TextEncoder().encode(text),
  isExecutable: true,
  isFolder: false,
});
const folder = (name: string) => ({ name, bytes: new Uint8Array(), isExecutable: false, isFolder: true });

/** The entries of an archive as an independent program reads them: mode and content by name. */
async function unzip(archive: Blob): Promise<Record<string, readonly [mode: string, content: string]>> {
  using place = temporaryFolder();
  const path = join(place.path, "a.zip");
  await Bun.write(path, archive);
  const script = `
import json, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
print(json.dumps({i.filename: [oct(i.external_attr >> 16 & 0o777), z.read(i).decode()] for i in z.infolist()}))`;
  return JSON.parse(await Bun.$`python3 -c ${script} ${path}`.text());
}

test("files are zipped as they were, in their folders, and none is executable", async () => {
  const archive = await zipFiles([file("a.txt"), file("ä/ü.sh", "#!/bin/sh"), file("empty", ""), folder("nothing/in")]);
  expect(archive.type).toBe("application/zip");
  expect(await unzip(archive)).toEqual({
    "a.txt": ["0o600", "a.txt"],
    "ä/ü.sh": ["0o600", "#!/bin/sh"],
    empty: ["0o600", ""],
    "nothing/in/": ["0o700", ""],
  });
});

test("a ZIP of files that are opened in their turn is the same, and throws what opening one throws", async () => {
  const opened: string[] = [];
  const stored = (name: string) => ({
    name,
    isFolder: false,
    size: name.length,
    async open() {
      opened.push(name);
      if (name === "gone") throw new Error("it is gone");
      return new Blob([name]);
    },
  });
  const folderOf = (name: string) => ({ ...stored(name), isFolder: true });
  const zipped = await zipStream([stored("a/b.bin"), folderOf("nothing"), stored("a/B.bin")]);
  expect(opened.length).toBeLessThan(2);
  expect(await unzip(await new Response(zipped).blob())).toEqual({
    "a/b.bin": ["0o600", "a/b.bin"],
    "nothing/": ["0o700", ""],
    "a/B (2).bin": ["0o600", "a/B.bin"],
  });
  expect(opened).toEqual(["a/b.bin", "a/B.bin"]);
  const broken = await zipStream([stored("gone")]);
  expect(await new Response(broken).blob().catch(({ message }: Error) => message)).toBe("it is gone");
});

test("names in a ZIP are shown as they are, hide nothing, and stay in its folder", async () => {
  const names = [".git/hooks/pre-commit", "invoice\u202Efdp.exe", "NUL", "a\\b"];
  expect(Object.keys(await unzip(await zipFiles(names.map((name) => file(name)))))).toEqual([
    "_.git/hooks/pre-commit",
    "invoice_fdp.exe",
    "_NUL",
    "a_b",
  ]);
  for (const bad of ["../x", "/etc/passwd", "a/../../x"]) {
    expect(await zipFiles([file(bad)]).catch((error: unknown) => error)).toBeInstanceOf(EntryNameError);
  }
});

test("files whose names some systems consider equal do not overwrite each other", async () => {
  const all = [
    file("a", "1"),
    file("A", "2"),
    file("a", "3"),
    folder("d"),
    folder("d"),
    file("d"),
    file("e/f"),
    file("E"),
    file("evil.svg", "4"),
    file("x.y/EVIL.SVG", "5"),
    file("x.y/evil.svg", "6"),
    file("EVIL.SVG", "7"),
  ];
  const unpacked = await unzip(await zipFiles(all));
  expect(Object.keys(unpacked)).toEqual([
    "a",
    "A (2)",
    "a (3)",
    "d/",
    "d (2)",
    "e/f",
    "E (2)",
    "evil.svg",
    "x.y/EVIL.SVG",
    "x.y/evil (2).svg",
    "EVIL (2).SVG",
  ]);
  expect(unpacked["A (2)"]?.[1]).toBe("2");
});
