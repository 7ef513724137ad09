import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { availableMemory, bodyMemoryBytes, isMemoryShort } from "../../../src/cli/server/memory.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const MIB = 1024 * 1024;
const MACHINE = 16_384 * MIB;

/** What is available where the kernel's files say this. */
async function available(files: Readonly<Record<string, string>>): Promise<number> {
  using folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    await Bun.write(join(folder.path, name), text);
  }
  return availableMemory(folder.path, MACHINE);
}

test("the memory is that of the machine, or less where a control group says so", async () => {
  const v2 = { "proc/self/cgroup": "0::/system.slice/handoff.service\n" };
  const v1 = { "proc/self/cgroup": "9:cpu:/a\n4:memory,hugetlb:/docker/abc\n0::/\n" };
  const cases: readonly (readonly [Record<string, string>, number])[] = [
    [{}, MACHINE],
    [v2, MACHINE],
    [{ ...v2, "sys/fs/cgroup/system.slice/handoff.service/memory.max": "max\n" }, MACHINE],
    [{ ...v2, "sys/fs/cgroup/system.slice/handoff.service/memory.max": `${512 * MIB}\n` }, 512 * MIB],
    [{ ...v2, "sys/fs/cgroup/system.slice/memory.max": `${256 * MIB}\n` }, 256 * MIB],
    [{ "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": `${128 * MIB}\n` }, 128 * MIB],
    [{ ...v1, "sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes": `${64 * MIB}\n` }, 64 * MIB],
    // The path is one of the host, and the container sees its own group at the top.
    [{ ...v1, "sys/fs/cgroup/memory/memory.limit_in_bytes": `${96 * MIB}\n` }, 96 * MIB],
    [{ ...v1, "sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes": "9223372036854771712\n" }, MACHINE],
  ];
  for (const [files, bytes] of cases) expect([files, await available(files)]).toEqual([files, bytes]);
});

test("bodies and large answers have an eighth of the memory, but room for several, unless a setting says", () => {
  const settings = { bodyMemory: undefined, maxCiphertext: 10 * MIB };
  expect(bodyMemoryBytes(settings, 1024 * MIB)).toBe(128 * MIB);
  expect(bodyMemoryBytes(settings, 256 * MIB)).toBe(50 * MIB);
  expect(bodyMemoryBytes({ ...settings, maxCiphertext: MIB }, 128 * MIB)).toBe(16 * MIB);
  expect(bodyMemoryBytes({ ...settings, maxCiphertext: 100 * MIB }, 256 * MIB)).toBe(500 * MIB);
  expect(bodyMemoryBytes({ ...settings, bodyMemory: 32 * MIB }, 1024 * MIB)).toBe(32 * MIB);
});

test("a server whose bodies and answers may take more than there is says so", () => {
  const settings = { bodyMemory: undefined, maxCiphertext: 10 * MIB };
  expect(isMemoryShort(settings, 150 * MIB)).toBe(false);
  expect(isMemoryShort(settings, 128 * MIB)).toBe(true);
  expect(isMemoryShort({ ...settings, maxCiphertext: 100 * MIB }, 512 * MIB)).toBe(true);
  expect(isMemoryShort({ ...settings, bodyMemory: 512 * MIB }, 512 * MIB)).toBe(true);
});
