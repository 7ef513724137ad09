import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { maskUrls } from "../../src/config/masked-urls.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { runHere } from "../support/terminals.ts";

const SECRET = "fake-local-test-only";
const URLS = [
  `postgresql://me:${SECRET}@db/x`,
  `postgresql://me:${SECRET}`,
  `postgresql://${SECRET}`,
  `postgresql://${SECRET}/x?sslmode=disable`,
  `postgresql://:5432,${SECRET}:5432/x`,
  `postgresql://me:fake'quoted ${SECRET}@db/x`,
  `postgres:me:${SECRET}@db`,
  `POSTGRESQL://me:fake/${SECRET}@db/x`,
  `postgresql://db/x?password=${SECRET}`,
  `https://me:${SECRET}@handoff.example/x`,
  `https://${SECRET}@handoff.example/x`,
];

test("a usage error never quotes a URL that may have a password, wherever it was given", async () => {
  for (const url of URLS) {
    for (const args of [
      ["admin", "stats", url],
      ["admin", "stats", `--databse=${url}`],
      ["admin", "stats", "--databse", url],
      ["admin", "team", "create", "a", "b", url],
      ["admin", url],
      [url],
      ["help", url],
      ["serve", url],
      ["serve", "--check", `--listen=${url}`],
      ["serve", "--check", "--data-dir", url],
      ["serve", "--check", "--database", url],
      ["serve", "--check", "--database-url-file", url],
      ["config", url],
      ["send", "--expires", url],
      ["completion", url],
      ["admin", "service", "--database-url-file", url],
    ]) {
      for (const more of [[], ["--json"]]) {
        const { stdout, stderr } = await runHere([...args, ...more], {});
        expect({ args, said: (stdout + stderr).includes(SECRET) }).toEqual({
          args,
          said: false,
        });
      }
    }
  }
  for (const args of [["--database", "postgresql://me:55fake-local"], []]) {
    const { stdout } = await runHere(["config", ...args], { HANDOFF_DATABASE_URL: `postgresql://me:${SECRET}` });
    expect(stdout).toContain(`database = "(a URL that can't be read)"`);
    expect(stdout).not.toMatch(/fake|local/);
  }
  const { stderr } = await runHere(["admin", "stats", URLS[0] ?? ""], {});
  expect(stderr).toContain("too many arguments");
});

test("a failed connection never quotes a possible password in the place of a host", async () => {
  const url = `postgresql://${SECRET}/x?connect_timeout=1`;
  using folder = temporaryFolder();
  const file = join(folder.path, "database-url");
  writeFileSync(file, url, { mode: 0o600 });
  const places = [
    { args: ["--database", url], env: {} },
    { args: ["--database-url-file", file], env: {} },
    { args: [], env: { HANDOFF_DATABASE_URL: url } },
  ];
  const check = async (words: readonly string[], env: Record<string, string>) => {
    const { stdout, stderr, exitCode } = await runHere(words, env);
    const said = (stdout + stderr).includes(SECRET);
    expect({ words, exitCode, said }).toMatchObject({ exitCode: 1, said: false });
    if (!words.includes("--json")) expect(stdout + stderr).toContain("'postgresql://…'");
  };
  // Each waits for a second: all of them at once.
  await Promise.all(
    ["team list", "stats", "check", "log"].flatMap((command) =>
      places.flatMap(({ args, env }) =>
        [[], ["--json"]].map((more) => check(["admin", ...command.split(" "), ...args, ...more], env)),
      ),
    ),
  );
  const { stdout } = await runHere(["config"], { HANDOFF_DATABASE_URL: url });
  expect(stdout).toContain(`database = "postgresql://…"`);
});

test("messages about a database keep its URL, and all messages keep links without a user", () => {
  const url = "postgresql://handoff@db/x";
  expect(maskUrls(`'${url}': no such database`, ["--database", url], false)).toBe(`'${url}': no such database`);
  expect(maskUrls(`unknown '${url}'`, [url], true)).toBe("unknown 'postgresql://…'");
  expect(maskUrls(`'${URLS[0]}' failed`, URLS, false)).toBe("'postgresql://…' failed");
  const other = "https://handoff.example/a";
  expect(maskUrls(`unknown '${other}'`, [other, "x"], true)).toBe(`unknown '${other}'`);
});
