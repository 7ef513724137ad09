import { expect, test } from "bun:test";
import { makeFaultyDisk } from "../support/disk-faults.ts";
import type { DiskFault } from "../support/disk-faults.ts";
import { apiOf, jsonOf, mintKey, UNLIMITED } from "../support/executions.ts";
import { startProgram } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary.ts";

/** A kind of write failure, its code, and its text. */
const FAILURES: readonly [fault: DiskFault, code: string, says: string][] = [
  ["write", "write_failed", "Writing fails although enough of the disk is free (EIO)"],
  ["write-quota", "quota_used_up", "The disk quota of this server's user is used up"],
  ["write-read-only", "read_only", "The file system of the data folder is read-only"],
];

async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  for (const end = performance.now() + 15_000; performance.now() < end; await Bun.sleep(50)) {
    if (await condition()) return;
  }
  throw new Error("what was waited for did not come");
}

for (const [fault, code, says] of FAILURES) {
  test(`a disk that fails with ${fault} is ${code} in log and health until it works again`, async () => {
    using folder = temporaryFolder();
    using disk = makeFaultyDisk();
    const token = await mintKey(folder.path);
    const args = ["serve", "--listen", "127.0.0.1:0", "--data-dir", folder.path, ...UNLIMITED];
    await using server = await startProgram(args, disk.env);
    const api = apiOf(server.url, token);
    const troubles = async () => (await jsonOf(fetch(`${server.url}/health/ready`))).troubles;
    const { id } = await jsonOf(api.create("kept"));
    expect(await troubles()).toEqual([]);
    disk.start(fault);
    const answer = await api.create("refused");
    expect(answer.status).toBe(503);
    expect(await jsonOf(answer)).toMatchObject({ code: "storage_unavailable" });
    expect(await troubles()).toMatchObject([{ code, message: expect.stringContaining(says) }]);
    expect((await api.claim(id)).status).toBe(503);
    await until(() => server.stderr().includes(says));
    disk.stop(fault);
    expect(await jsonOf(api.claim(id))).toMatchObject({ envelope: { ciphertext: "kept" } });
    await until(async () => (await api.create("taken")).status === 201);
    expect(await troubles()).toEqual([]);
    expect(server.stderr()).not.toContain("too full");
  }, 40_000);
}
