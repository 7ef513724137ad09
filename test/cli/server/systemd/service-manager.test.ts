import { expect, test } from "bun:test";
import { openServiceManager } from "../../../../src/cli/server/systemd/service-manager.ts";

/** The environment of a child that is started now. */
const ofChild = () => Bun.spawnSync(["/usr/bin/env"]).stdout.toString();

test("no child gets the socket of systemd, and one on which nobody listens is complained of, and nothing else happens", () => {
  process.env["NOTIFY_SOCKET"] = "/nonexistent/notify";
  const lines: unknown[] = [];
  const tell = openServiceManager({ warn: (fields, message) => void lines.push({ ...fields, message }) });
  expect(ofChild()).not.toContain("NOTIFY_SOCKET");
  expect(lines).toEqual([]);
  tell("READY");
  expect(lines).toEqual([
    expect.objectContaining({ code: "ENOENT", message: "systemd can't be told that the server is ready" }),
  ]);
  openServiceManager({ warn: (...line) => void lines.push(line) })("STOPPING");
  expect(lines).toHaveLength(1);
});
