import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { manPages } from "../../scripts/man.ts";
import { TOPICS } from "../../src/manual/topics.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { runHere } from "../support/terminals.ts";

const DATE = "2026-01-02";
const pages = await manPages(DATE);

/** Writes the pages into a folder, and returns its path. */
async function writePages(folder: string): Promise<string[]> {
  for (const [name, page] of pages) await Bun.write(join(folder, name), page);
  return readdirSync(folder).toSorted();
}

/** What `command` says, on either output. */
async function said(command: readonly string[], folder: string): Promise<string> {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { cwd: folder });
  return `${exitCode}\n${stdout.toString()}${stderr.toString()}`;
}

test("there is a page for each command, for the settings, and for each topic", async () => {
  const commands = (await runHere(["--help"], {})).stdout.matchAll(/^ {2}([a-z][a-z-]*)/gm);
  const expected = [
    "handoff.1",
    "handoff.toml.5",
    ...Array.from(commands, ([, name]) => `handoff-${name}.1`),
    ...TOPICS.filter(({ name }) => name !== "settings").map(({ name }) => `handoff-${name}.7`),
  ];
  expect([...pages.keys()].toSorted()).toEqual(expected.toSorted());
});

test("groff and mandoc have nothing to say about the pages", async () => {
  using folder = temporaryFolder();
  const names = await writePages(folder.path);
  for (const name of names) {
    expect([name, await said(["groff", "-man", "-Tutf8", "-ww", "-z", name], folder.path)]).toEqual([name, "0\n"]);
  }
  expect(await said(["mandoc", "-T", "lint", "-W", "warning", ...names], folder.path)).toBe("0\n");
});

test("groff shows every option of a command, and its examples as they are", async () => {
  using folder = temporaryFolder();
  await writePages(folder.path);
  const show = (name: string) => said(["groff", "-man", "-Tutf8", "-P-c", "-P-b", "-P-u", name], folder.path);
  const send = await show("handoff-send.1");
  const { stdout } = await runHere(["send", "--help"], {});
  const options = Array.from(stdout.matchAll(/^ {2}(-.*?)(?: {2}|$)/gm), ([, option = ""]) => option);
  expect(options.length).toBeGreaterThan(10);
  for (const option of options) expect(send).toContain(option);
  expect(send).toContain('handoff send --reference OPS-4711 --label "router, for Ann"');
  expect(send).toContain("handoff-send(7)");
  expect(await show("handoff-admin.1")).toContain("handoff admin key create [options]");
  expect(await show("handoff.toml.5")).toContain("HANDOFF_TRUSTED_PROXY, --trusted-proxy CIDR");
});

test("no page has leftovers of Markdown, or a reference to a page that is not there", () => {
  for (const [name, page] of pages) {
    const prose = page.replaceAll(/^\.nf$.*?^\.fi$/gms, "").replaceAll(/\\fB.*?\\fR/g, "");
    expect([name, /\*\*|\]\(|^#{1,6} /m.exec(prose)?.[0]]).toEqual([name, undefined]);
    const referred = page.matchAll(/(?:\.BR |\\fB)(handoff(?:\\-[\w\\-]+|\.toml)?)(?:\\fR| )\((\d)\)/g);
    for (const [, to = "", section] of referred) {
      const file = `${to.replaceAll("\\-", "-")}.${section}`;
      expect({ name, file, isThere: pages.has(file) }).toEqual({ name, file, isThere: true });
    }
    expect(page).toContain(`${DATE} "handoff `);
  }
});
