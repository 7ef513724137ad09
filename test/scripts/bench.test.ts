import { expect, test } from "bun:test";
import { measureFlushes } from "../../scripts/bench/flushes.ts";
import { benchFolder } from "../../scripts/bench/folders.ts";
import { measureCalls } from "../../scripts/bench/growths.ts";
import { runLoad } from "../../scripts/bench/loads.ts";
import { createdId, createRequests, sealCiphertext } from "../../scripts/bench/requests.ts";
import { startVariant, VARIANTS } from "../../scripts/bench/servers.ts";
import { slowDisk } from "../../scripts/bench/slow-disks.ts";
import { receivedBy } from "../../scripts/bench/webhooks.ts";

// What the benchmark measures is nothing that a test could hold. That it still measures is.

const CALLS = 300;
const ciphertext = await sealCiphertext(1024);

for (const variant of VARIANTS) {
  test(`the benchmark loads a server: ${variant}`, async () => {
    using folder = benchFolder();
    await using receiver = await startVariant("nothing", "-");
    await using server = await startVariant(variant, folder.path, receivedBy(receiver));
    const { create, claim } = createRequests(server.token, ciphertext);
    const target = { port: server.port, pid: server.pid, connections: 8, seconds: 30 };
    const created: string[] = [];
    let left = CALLS;
    const load = await runLoad({
      ...target,
      next: () => (left-- > 0 ? create() : undefined),
      expectedStatus: 201,
      onAnswer: ({ head }) => void (variant !== "nothing" && created.push(createdId(head))),
    });
    expect(load.answers).toBe(CALLS);
    expect(load.generator.computing).toBeGreaterThan(0);
    expect(load.generator.busy).toBeGreaterThanOrEqual(load.generator.computing);
    const next = () => {
      const id = created.pop();
      return id === undefined ? undefined : claim(id);
    };
    expect((await runLoad({ ...target, next, expectedStatus: 200 })).answers).toBe(variant === "nothing" ? 0 : CALLS);
  });
}

test("no create is answered on a slow disk before it was flushed", async () => {
  using folder = benchFolder();
  await using server = await startVariant("group commit", folder.path, slowDisk(folder.path, 5));
  const { create } = createRequests(server.token, ciphertext);
  let left = 20;
  const next = () => (left-- > 0 ? create() : undefined);
  const { port, pid } = server;
  const { latenciesMs } = await runLoad({ port, pid, connections: 1, seconds: 30, next, expectedStatus: 201 });
  expect(Math.min(...latenciesMs)).toBeGreaterThanOrEqual(5);
  expect(latenciesMs.length).toBe(20);
});

test("the benchmark measures reads beside creators", async () => {
  const [p50, p99, creates] = await measureFlushes(ciphertext, { rounds: 1, seconds: 0.75 });
  expect([p50?.aim, p99?.aim]).toEqual([expect.stringContaining("≤ 0.5 ms"), expect.stringContaining("≤ 3 ms")]);
  expect(creates?.aim).toContain("≥ 8,000");
  expect(creates?.generator).toMatch(/^\d+ %$/);
}, 30_000);

test("the benchmark measures every call of a store that has grown", async () => {
  const times = await measureCalls(1500, { samples: 1, sampleMicroseconds: 0 });
  expect(times.size).toBe(7);
  expect([...times.values()].every((time) => time > 0)).toBe(true);
}, 30_000);
