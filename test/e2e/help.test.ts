import { expect, test } from "bun:test";
import { openPerson, runInTerminal } from "../support/people.ts";
import { temporaryFolder } from "../support/temporary.ts";

/** What `handoff help install` shows on a terminal, without the colors. */
async function show(args: readonly string[], env: Readonly<Record<string, string>>) {
  using folder = temporaryFolder();
  const { exitCode, screen } = await runInTerminal(openPerson(folder.path), ["help", ...args], [], env);
  return { exitCode, screen, text: Bun.stripANSI(screen).replaceAll("\r\n", "\n") };
}

test("on a terminal the manual goes through the pager, styled and in at most 90 columns", async () => {
  const { exitCode, screen, text } = await show(["upgrade"], { PAGER: "sed 's/^/> /'", NO_COLOR: "" });
  expect(exitCode).toBe(0);
  expect(text).toStartWith("> Upgrade\n> ═══════\n");
  expect(screen).toContain("\x1b[1m");
  const prose = text.split("\n").filter((line) => !line.startsWith("> │"));
  expect(prose.filter((line) => Bun.stringWidth(line) > 92)).toEqual([]);
});

test("a pager gets no API key", async () => {
  const { text } = await show(["upgrade"], { PAGER: "env", HANDOFF_API_KEY: "fake-local-test-only" });
  expect(text).toContain("PAGER=env");
  expect(text).not.toContain("fake-local-test-only");
});

test("a pager may end before it has read everything", async () => {
  const { exitCode, text } = await show(["json"], { PAGER: "head -1" });
  expect({ exitCode, text: text.trim() }).toEqual({ exitCode: 0, text: "JSON output" });
});

test("the manual is shown as it is where no pager works, or none is wanted", async () => {
  for (const env of [{ PAGER: "/nonexistent/pager" }, { PAGER: "false" }, { PAGER: "" }, { PATH: "/nonexistent" }]) {
    const { exitCode, text } = await show(["upgrade"], env);
    expect({ env, exitCode }).toEqual({ env, exitCode: 0 });
    expect(text).toMatch(/(^|\n)Upgrade\n═══════\n/);
  }
  const { text } = await show(["--no-pager", "upgrade"], { PAGER: "sed 's/^/> /'" });
  expect(text).toStartWith("Upgrade\n");
});

test("NO_COLOR takes the colors away, and a dumb terminal gets Markdown", async () => {
  for (const [env, start] of [
    [{ NO_COLOR: "1" }, "Upgrade\n═══════\n"],
    [{ TERM: "dumb" }, "# Upgrade\n"],
  ] as const) {
    const { screen, text } = await show(["upgrade"], { PAGER: "cat", ...env });
    expect(screen.replaceAll("\r\n", "\n")).toBe(text);
    expect(text).toStartWith(start);
  }
});
