import { expect, test } from "bun:test";
import { mintKey } from "../support/executions.ts";
import { manualText } from "../support/manual.ts";
import { startProgram } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary.ts";

/** The fields of log lines in the manual. */
function documentedFields(): string[] {
  const rows = manualText("logs")
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  return rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name));
}

test("the manual has every field of the log, and lines have a level word and an RFC 3339 time", async () => {
  using folder = temporaryFolder();
  const key = await mintKey(folder.path);
  const args = ["serve", "--listen", "127.0.0.1:0", "--data-dir", folder.path, "--log-addresses"];
  await using server = await startProgram(args, { HANDOFF_LISTENN: "x" });
  const headers = { authorization: `Bearer ${key}` };
  for (const path of ["/api/v1/credential", "/api/v1/secrets/nothing", "/", "/nowhere"]) {
    await fetch(server.url + path, { headers });
  }
  await fetch(`${server.url}/api/v1/credential`);
  server.kill("SIGTERM");
  await server.exited;
  const lines: Record<string, unknown>[] = server
    .stderr()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  expect(lines.filter(({ msg }) => msg === "request")).toHaveLength(5);
  const documented = documentedFields();
  expect(documented.length).toBeGreaterThan(25);
  expect(lines.flatMap((line) => Object.keys(line)).filter((name) => !documented.includes(name))).toEqual([]);
  for (const { level, time } of lines) {
    expect(["info", "warn", "error"]).toContain(level as string);
    expect(new Date(String(time)).toISOString()).toBe(String(time));
  }
});

test("with --log-format text the log is readable, including its last line", async () => {
  using folder = temporaryFolder();
  const args = ["serve", "--listen", "127.0.0.1:0", "--data-dir", folder.path, "--log-format", "text"];
  await using server = await startProgram(args);
  await fetch(`${server.url}/health/live`);
  server.kill("SIGTERM");
  expect(await server.exited).toBe(0);
  const lines = server.stderr().split("\n").filter(Boolean);
  expect(lines.find((line) => line.includes("route="))).toMatch(
    /^\S+Z info {2}request request_id=\S+ method=GET route=\/health\/live status=200 duration_ms=[\d.]+ key_id=-$/,
  );
  expect(lines.at(-1)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z info {2}stopped$/);
});
