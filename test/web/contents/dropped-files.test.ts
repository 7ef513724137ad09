import { expect, test } from "bun:test";
import { addFiles, filesOfDrop, filesOfInput, filesOfPaste } from "../../../src/web/contents/dropped-files.ts";
import type { ChosenFile, ChosenFiles } from "../../../src/web/contents/dropped-files.ts";

/** A folder by the names in it: a string is a file, null an unreadable one. */
interface Tree {
  readonly [name: string]: string | null | Tree;
}

/** An entry as browsers return it, with a hundred children at a time. */
function entryOf(name: string, content: string | null | Tree): FileSystemEntry {
  if (content === null || typeof content === "string") {
    const file = (resolve: (file: File) => void, reject: (error: Error) => void) =>
      content === null ? reject(new Error("NotReadableError")) : resolve(new File([content], name));
    return { name, isFile: true, isDirectory: false, file } as unknown as FileSystemEntry;
  }
  const createReader = () => {
    const rest = Object.entries(content).map(([inside, each]) => entryOf(inside, each));
    return { readEntries: (resolve: (entries: FileSystemEntry[]) => void) => resolve(rest.splice(0, 100)) };
  };
  return { name, isFile: false, isDirectory: true, createReader } as unknown as FileSystemEntry;
}

/**
 * A transfer of whole trees. As in a browser, a folder is also an unreadable file, and nothing is left after the event.
 */
function transferOf(tree: Tree): DataTransfer {
  let isOver = false;
  queueMicrotask(() => (isOver = true));
  const items = Object.entries(tree).map(([name, content]) => ({
    kind: "file",
    webkitGetAsEntry: () => (isOver ? null : entryOf(name, content)),
    getAsFile: () => (isOver || content === null ? null : new File([typeof content === "string" ? content : ""], name)),
  }));
  return { items, files: [] } as unknown as DataTransfer;
}

/** A transfer of the clipboard: files, and a text. */
function clipboardOf(files: readonly File[], text = ""): DataTransfer {
  const items = files.map((file) => ({ kind: "file", webkitGetAsEntry: () => null, getAsFile: () => file }));
  const texts = text === "" ? [] : [{ kind: "string", getAsFile: () => null }];
  return { items: [...texts, ...items], files, getData: () => text } as unknown as DataTransfer;
}

const namesOf = (files: readonly ChosenFile[] | undefined) => files?.map(({ name }) => name);
const filesOf = (...names: readonly string[]): ChosenFiles => filesOfInput(names.map((name) => new File(["x"], name)));
const picture = (name: string, type = "image/png") => new File(["x"], name, { type });

test("dropped folders come with their files, hidden ones included", async () => {
  const chosen = await filesOfDrop(
    transferOf({ "a.txt": "text", box: { ".DS_Store": "x", sub: { "b.txt": "deep", empty: {} } }, ".env": "x" }),
  );
  expect(namesOf(chosen.files)).toEqual(["a.txt", "box/.DS_Store", "box/sub/b.txt", ".env"]);
  expect(chosen).toMatchObject({ unreadable: [], isCut: false });
  const deep = chosen.files[2];
  expect([deep?.size, new TextDecoder().decode(await deep?.arrayBuffer()), await deep?.slice(0, 2).text()]).toEqual([
    4,
    "deep",
    "de",
  ]);
});

test("a folder is read completely, and unreadable files are named", async () => {
  const many = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`f${index}`, "x"]));
  expect((await filesOfDrop(transferOf({ many }))).files).toHaveLength(250);
  const chosen = await filesOfDrop(transferOf({ box: { a: "x", locked: null } }));
  expect([namesOf(chosen.files), chosen.unreadable]).toEqual([["box/a"], ["box/locked"]]);
  expect(addFiles([], chosen).refusals).toEqual([{ kind: "unreadable", name: "box/locked" }]);
});

test("more files than can be sent are not read completely, and none is added", async () => {
  const tree = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, "x"]));
  const most = await filesOfDrop(transferOf({ box: tree(9999) }));
  expect([most.isCut, addFiles([], most).files.length]).toEqual([false, 9999]);
  let reads = 0;
  const endless = {
    readEntries: (resolve: (entries: FileSystemEntry[]) => void) => (reads++, resolve([entryOf(`f${reads}`, "x")])),
  };
  const folder = { name: "box", isDirectory: true, createReader: () => endless };
  const items = [{ kind: "file", webkitGetAsEntry: () => folder, getAsFile: () => null }];
  const chosen = await filesOfDrop({ items, files: [] } as unknown as DataTransfer);
  expect([chosen.isCut, reads]).toEqual([true, 10_000]);
  const present = filesOf("mine").files;
  expect(addFiles(present, chosen)).toEqual({ files: present, refusals: [{ kind: "too_many" }] });
  // Each drop alone may be small enough.
  expect(addFiles(most.files, filesOf("a", "b")).refusals).toEqual([{ kind: "too_many" }]);
});

test("a browser without entries returns files only", async () => {
  const file = new File(["x"], "a");
  const items = [{ kind: "string" }, { kind: "file", getAsFile: () => file }];
  expect((await filesOfDrop({ items, files: [file] } as unknown as DataTransfer)).files).toEqual([file]);
  expect((await filesOfDrop({ items: [], files: [file] } as unknown as DataTransfer)).files).toEqual([file]);
});

test("a chosen folder keeps its paths", () => {
  const file = Object.defineProperty(new File(["x"], "a"), "webkitRelativePath", { value: "box/a" });
  expect(namesOf(filesOfInput([file, new File(["x"], "b")]).files)).toEqual(["box/a", "b"]);
});

test("two files cannot have one name, nor a file the name of another one's folder", () => {
  const present = filesOf("a", "box/b").files;
  const { files, refusals } = addFiles(present, filesOf("a", "box", "a/x", "c", "c", "box/c"));
  expect(namesOf(files)).toEqual(["a", "box/b", "c", "box/c"]);
  expect(refusals).toEqual(["a", "box", "a/x", "c"].map((name) => ({ kind: "same_name", name })));
});

test("photos that a phone calls alike are numbered", () => {
  const photo = () => picture("image.jpg", "image/jpeg");
  const first = addFiles([], filesOfInput([photo(), photo()]));
  expect(namesOf(first.files)).toEqual(["image.jpg", "image-1.jpg"]);
  const second = addFiles(first.files, filesOfInput([photo(), new File(["x"], "image.jpg")]));
  expect(namesOf(second.files)).toEqual(["image.jpg", "image-1.jpg", "image-2.jpg"]);
  expect(second.refusals).toEqual([{ kind: "same_name", name: "image.jpg" }]);
});

test("a name that cannot be written is refused at once", () => {
  const bad = ["x".repeat(1025), `${"a/".repeat(101)}b`, "../x"];
  const { files, refusals } = addFiles([], filesOf(...bad, "good"));
  expect(namesOf(files)).toEqual(["good"]);
  expect(refusals).toEqual(bad.map((name) => ({ kind: "bad_name", name })));
});

test("a pasted picture gets a name, and each one another name", async () => {
  const first = await filesOfPaste(clipboardOf([picture("image.png"), picture("", "image/jpeg")]), []);
  expect(namesOf(first?.files)).toEqual(["image-1.png", "image-1.jpg"]);
  const second = await filesOfPaste(clipboardOf([picture("image.png"), picture("image.png")]), first?.files ?? []);
  expect(namesOf(second?.files)).toEqual(["image-2.png", "image-3.png"]);
  const named = await filesOfPaste(clipboardOf([picture("cat.png"), new File(["x"], "image.png")], "cat.png"), []);
  expect(namesOf(named?.files)).toEqual(["cat.png", "image.png"]);
});

test("pasted text is left to the browser, even with a picture of it", () => {
  expect(filesOfPaste(clipboardOf([], "text"), [])).toBeUndefined();
  expect(filesOfPaste(clipboardOf([picture("image.png")], "1\t2"), [])).toBeUndefined();
});
