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

test("a usage error repeats no URL in which a password may be, wherever it was given", async () => {
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

test("what stands in the place of a host, and may be a password, is in no word of a command that can't connect to it", async () => {
  const url = `postgresql://${SECRET}/x?connect_timeout=1`;
  using folder = temporaryFolder();
  const file = join(folder.path, "database-url");
  writeFileSync(file, url, { mode: 0o600 });
  for (const command of ["team list", "stats", "check", "log"]) {
    for (const [args, env] of [
      [["--database", url], {}],
      [["--database-url-file", file], {}],
      [[], { HANDOFF_DATABASE_URL: url }],
    ] as const) {
      for (const more of [[], ["--json"]]) {
        const words = ["admin", ...command.split(" "), ...args, ...more];
        const { stdout, stderr, exitCode } = await runHere(words, env);
        expect({ words, exitCode, said: (stdout + stderr).includes(SECRET) }).toMatchObject({
          exitCode: 1,
          said: false,
        });
        if (more.length === 0) expect(stdout + stderr).toContain("'postgresql://…'");
      }
    }
  }
  const { stdout } = await runHere(["config"], { HANDOFF_DATABASE_URL: url });
  expect(stdout).toContain(`database = "postgresql://…"`);
});

test("the URL of a database stays in what is said of the database itself, and a link without a user everywhere", () => {
  const url = "postgresql://handoff@db/x";
  expect(maskUrls(`'${url}': no such database`, ["--database", url], false)).toBe(`'${url}': no such database`);
  expect(maskUrls(`unknown '${url}'`, [url], true)).toBe("unknown 'postgresql://…'");
  expect(maskUrls(`'${URLS[0]}' failed`, URLS, false)).toBe("'postgresql://…' failed");
  const other = "https://handoff.example/a";
  expect(maskUrls(`unknown '${other}'`, [other, "x"], true)).toBe(`unknown '${other}'`);
});
