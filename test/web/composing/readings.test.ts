import { expect, test } from "bun:test";
import { readContent } from "../../../src/web/composing/readings.ts";
import { errorOf } from "../../support/clients.ts";

const FILE = new File(["bytes"], "a.txt");
const READ = { name: "a.txt", bytes: new TextEncoder().encode("bytes"), isExecutable: false, isFolder: false };

test("text and files are read as one content, and blank lines beside files are left out", async () => {
  expect(await readContent({ text: "typed\n", files: [] })).toEqual({ kind: "text", text: "typed\n" });
  expect(await readContent({ text: "", files: [FILE] })).toEqual({ kind: "files", files: [READ] });
  expect(await readContent({ text: "\n", files: [FILE] })).toEqual({ kind: "files", files: [READ] });
  expect(await readContent({ text: "typed", files: [FILE] })).toEqual({ kind: "both", text: "typed", files: [READ] });
});

test("an unreadable file is refused with its name, and none of the others is sent", async () => {
  const gone = Object.assign(new File(["x"], "b"), { arrayBuffer: () => Promise.reject(new Error("NotFoundError")) });
  expect(await errorOf(readContent({ text: "", files: [FILE, gone] }))).toMatchObject({
    code: "file_unreadable",
    message: "b can't be read. Is it still there?",
  });
});
