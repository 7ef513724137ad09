import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withFile } from "../../src/store/sqlite/files/plain-files.ts";
import { mintKey, UNLIMITED } from "../support/executions.ts";
import { until } from "../support/polls.ts";
import { startProgram } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary.ts";

const MIB = 1024 * 1024;
const NOBODYS = `upl_${"0".repeat(26)}`;
const OTHER = `upl_${"1".repeat(26)}`;

const serve = (folder: string, ...args: readonly string[]) =>
  startProgram(["serve", "--listen", "127.0.0.1:0", "--data-dir", folder, ...UNLIMITED, ...args]);

test("a server erases at its start the files that no upload knows, and keeps the others", async () => {
  using folder = temporaryFolder();
  const blobs = join(folder.path, "blobs");
  const token = await mintKey(folder.path);
  let kept = "";
  {
    await using server = await serve(folder.path);
    const headers = { authorization: `Bearer ${token}`, "tus-resumable": "1.0.0" };
    const begun = await fetch(`${server.url}/api/v1/uploads`, {
      method: "POST",
      headers: { ...headers, "upload-length": "1000" },
    });
    kept = begun.headers.get("location")?.split("/").at(-1) ?? "";
    const piece = await fetch(`${server.url}/api/v1/uploads/${kept}`, {
      method: "PATCH",
      headers: { ...headers, "content-type": "application/offset+octet-stream", "upload-offset": "0" },
      body: "age-encryption.org/v1\n",
    });
    expect(piece.status).toBe(204);
    server.kill("SIGKILL");
    await server.exited;
  }
  writeFileSync(join(blobs, NOBODYS), "left behind");
  writeFileSync(join(blobs, "notes.txt"), "not ours");
  symlinkSync(join(blobs, "notes.txt"), join(blobs, OTHER));
  await using server = await serve(folder.path);
  await until(() => !existsSync(join(blobs, NOBODYS)));
  await until(() => server.stderr().includes("sweep of large secrets failed"));
  expect(readdirSync(blobs).toSorted()).toEqual([kept, OTHER, "notes.txt"].toSorted());
  expect(statSync(join(blobs, kept)).size).toBe(22);
});

test("a server that is told to end doesn't wait for a large file to be erased, and the next one goes on", async () => {
  using folder = temporaryFolder();
  const blobs = join(folder.path, "blobs");
  await mintKey(folder.path);
  mkdirSync(blobs, { mode: 0o700 });
  const path = join(blobs, NOBODYS);
  // Large enough to be under way for a while.
  writeFileSync(path, new Uint8Array(256 * MIB).fill(1));
  const server = await serve(folder.path);
  await until(() => firstByteOf(path) === 0);
  server.kill("SIGTERM");
  expect(await server.exited).toBe(0);
  expect(statSync(path).size).toBe(256 * MIB);
  await using _ = await serve(folder.path);
  await until(() => !existsSync(path), 50);
}, 60_000);

function firstByteOf(path: string): number | undefined {
  const byte = new Uint8Array(1);
  return withFile(path, "r", (file) => (readSync(file, byte, 0, 1, 0), byte[0]));
}
