import { expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readObjectStore } from "../../src/cli/server/storages/object-stores.ts";
import { loadSettings, settingIds } from "../../src/config/load.ts";
import { temporaryFolder } from "../support/temporary.ts";

const DATABASE = { database: "postgresql:///handoff?host=/run/postgresql" };
const URL = "https://s3.example/bucket";

function complaintOf(flags: Record<string, unknown>): string {
  try {
    loadSettings(flags, {});
    return "";
  } catch (error) {
    return String(error);
  }
}

test("an object store is a place in a bucket, with a key that only a file has", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "key");
  const write = (text: string) => writeFileSync(file, text, { mode: 0o600 });
  write("AKIAEXAMPLE:fake/local+test=only\n");
  const read = (objectStore: string) =>
    readObjectStore(loadSettings({ ...DATABASE, objectStore, objectStoreKeyFile: file }, {}));
  const key = { accessKeyId: "AKIAEXAMPLE", secretAccessKey: "fake/local+test=only" };
  expect(read(URL)?.options).toEqual({ endpoint: "https://s3.example", bucket: "bucket", region: "us-east-1", ...key });
  expect(read(URL)?.folderOf("id")).toBe("id");
  const place = read("http://127.0.0.1:3900/bucket/some/folder/?region=garage");
  expect(place?.options).toEqual({ endpoint: "http://127.0.0.1:3900", bucket: "bucket", region: "garage", ...key });
  expect(place?.folderOf("id")).toBe("some/folder/id");
  expect(readObjectStore(loadSettings(DATABASE, {}))).toBeUndefined();
  for (const text of ["only-an-id", ":secret", "id:", "a:b:c"]) {
    write(text);
    expect(() => read(URL)).toThrow("is no access key: expected its ID, a colon and its secret, in one line");
    expect(() => read(URL)).not.toThrow(text);
  }
  chmodSync(file, 0o644);
  expect(() => read(URL)).toThrow("Others can read or change");
});

test("settings for an object store that can't be used are refused", () => {
  const key = { objectStoreKeyFile: "/etc/handoff/key" };
  expect(complaintOf({ ...DATABASE, objectStore: URL, ...key })).toBe("");
  expect(complaintOf({ ...DATABASE, objectStore: URL })).toContain("--object-store needs --object-store-key-file");
  expect(complaintOf({ ...DATABASE, ...key })).toContain("--object-store-key-file needs --object-store");
  expect(complaintOf({ objectStore: URL, ...key })).toContain("--object-store is for PostgreSQL: without --database");
  const wrong = {
    "s3.example/bucket": "it has to begin with https://. Expected a URL with a bucket, such as",
    "s3://bucket": "it has to begin with https://",
    "https://s3.example": "it has no bucket",
    "https://s3.example/": "it has no bucket",
    "http://s3.example/bucket": "http is for a store on this machine alone",
    "https://id:fake@s3.example/bucket": "it has a user in it",
    "https://s3.example/bucket?region=eu&x=y": "takes region=NAME and nothing else",
    "https://s3.example/bucket#x": "takes region=NAME and nothing else",
    "https://s3.example/Bucket_Name ": "is 'https://s3.example/Bucket_Name ': expected a URL with a bucket, such as",
    "https://s3.example/bucket/../other//x": "expected a URL with a bucket, such as",
  };
  for (const [objectStore, text] of Object.entries(wrong)) {
    const complaint = complaintOf({ ...DATABASE, objectStore, ...key });
    expect(complaint).toContain(text);
    expect(complaint).not.toContain("id:fake");
  }
});

test("no setting shows a URL with a user", () => {
  const url = "https://somebody:fake@provider.example/x y";
  const refused = settingIds().filter((id) => complaintOf({ [id]: url }) !== "");
  expect(refused).toEqual(expect.arrayContaining(["baseUrl", "objectStore", "oidcIssuer", "maxSecret"]));
  for (const id of refused) expect(complaintOf({ [id]: url })).not.toContain("fake");
});
