import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { handoffCommand } from "../support/executable.ts";
import { runExecutable } from "../support/executions.ts";
import { startProgram } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary.ts";

// Neither Bun nor Node can receive a datagram of a Unix socket. The rest follows libsystemd's sd_notify(3).
const RECEIVER = `
import os, socket, sys
receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
address = sys.argv[1]
receiver.bind("\\0" + address[1:] if address[0] == "@" else address)
print("bound", flush=True)
while True: print(receiver.recv(4096).decode(), flush=True)
`;

/** Listens at `address` as systemd does. */
async function startManager(address: string) {
  const child = Bun.spawn(["python3", "-c", RECEIVER, address], { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  let text = "";
  const next = async (): Promise<string | undefined> => {
    while (!text.includes("\n")) {
      const { value, done } = await reader.read();
      if (done) return undefined;
      text += decoder.decode(value, { stream: true });
    }
    const [line = "", ...rest] = text.split("\n");
    text = rest.join("\n");
    return line;
  };
  expect(await next()).toBe("bound");
  return {
    next,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

test.each(["path", "abstract"])(
  "systemd is notified at a %p socket when the server answers, reloads its certificate, and stops",
  async (kind) => {
    using folder = temporaryFolder();
    const address = kind === "path" ? join(folder.path, "notify") : `@handoff-test/${process.pid}`;
    await using manager = await startManager(address);
    const env = { NOTIFY_SOCKET: address };
    // A failed start sends nothing.
    const failed = await runExecutable(["serve", "--listen", "127.0.0.1:0", "--data-dir", "/dev/null/x"], env);
    expect(failed.exitCode).toBeGreaterThan(0);
    await using server = await startProgram(
      ["serve", "--listen", "127.0.0.1:0", "--data-dir", join(folder.path, "data")],
      env,
    );
    expect(await manager.next()).toBe("READY=1");
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
    server.kill("SIGHUP");
    expect([await manager.next(), await manager.next()]).toEqual(["RELOADING=1", "READY=1"]);
    server.kill("SIGTERM");
    expect(await manager.next()).toBe("STOPPING=1");
    expect(await server.exited).toBe(0);
    expect(server.stderr()).not.toContain("systemd");
  },
  30_000,
);

test("in systemd's journal each line has its priority, and nowhere else", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "stderr");
  const run = async (args: readonly string[], journal: (id: string) => string) => {
    await Bun.write(path, "");
    const { dev, ino } = statSync(path, { bigint: true });
    const child = Bun.spawn(["/bin/sh", "-c", 'exec 2> "$0"; exec "$@"', path, ...handoffCommand(), ...args], {
      env: { HOME: folder.path, JOURNAL_STREAM: journal(`${dev}:${ino}`) },
      stdout: "ignore",
    });
    await child.exited;
    return readFileSync(path, "utf8").trim().split("\n");
  };
  const warned = ["serve", "--check", "--quiet", "--trusted-proxy", "0.0.0.0/0", "--data-dir", folder.path];
  const [warning = "", ...more] = await run(warned, (id) => id);
  expect(more).toEqual([]);
  expect(warning).toStartWith('<4>{"level":"warn",');
  expect(JSON.parse(warning.slice(3))).toMatchObject({ trusted_proxy: "0.0.0.0/0" });
  expect((await run([...warned, "--log-format", "text"], (id) => id))[0]).toMatch(/^<4>\d{4}-.* warn /);
  const wrong = ["serve", "--max-claims", "many", "--tombstones", "1h"];
  const failed = await run(wrong, (id) => id);
  expect(failed.map((line) => line.slice(0, 5))).toEqual(["<3>ha", "<3>--"]);
  expect(await run(wrong, (id) => `${id}0`)).toEqual(failed.map((line) => line.slice(3)));
});
