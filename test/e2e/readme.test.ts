import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withSettingsTable } from "../../scripts/settings-table.ts";
import { handoffCommand } from "../support/executable.ts";
import { startProgram } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary.ts";

const ROOT = join(import.meta.dir, "../..");
const readme = readFileSync(join(ROOT, "README.md"), "utf8");

/** The shell lines of the README under `heading`, one text for each block. */
function shellBlocks(heading: string): string[] {
  const section = readme.split(/^## /m).find((each) => each.startsWith(heading)) ?? "";
  return [...section.matchAll(/^```sh\n(.*?)^```/gms)].map((match) => match[1] ?? "");
}

/** What a reader gets who pastes `lines` into bash, in a folder where `dist/handoff` is. */
async function paste(lines: string, folder: string): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const child = Bun.spawn(["bash", "-euo", "pipefail", "-c", lines], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { exitCode, stdout, stderr };
}

test("the lines of 'Try it' do what they say, with curl and with age", async () => {
  using folder = temporaryFolder();
  const [executable = ""] = handoffCommand();
  await using server = await startProgram([
    "serve",
    "--listen",
    "127.0.0.1:0",
    "--data-dir",
    join(folder.path, ".data"),
  ]);
  const [first = "", second = ""] = shellBlocks("Try it");
  const lines = [
    `mkdir dist; ln -s '${executable}' dist/handoff`,
    first.replace(/^scripts\/build .*$/m, "").replace(/^URL=.*$/m, `URL=${server.url}`),
    "printf 'a secret of this test' > secret.txt; age-keygen -o identity.txt 2> /dev/null",
    "PUBLIC=$(age-keygen -y identity.txt); echo",
    second,
  ].join("\n");
  const { exitCode, stdout, stderr } = await paste(lines, folder.path);
  expect({ exitCode, stderr: stderr.replace(/^(Created|Minted|It may|Keep).*\n/gm, "") }).toEqual({
    exitCode: 0,
    stderr: "",
  });
  expect(stdout).toContain('"state":"available"');
  expect(stdout).toContain('"envelope":{"version":1,"ciphertext":"fake-local-test-only"}');
  expect(stdout).toContain('"code":"secret_claimed"');
  expect(stdout).toContain('"code":"insufficient_scope"');
  expect(stdout).toEndWith("a secret of this test");
});

test("the table of settings is the one that the program has", () => {
  expect(unpadded(withSettingsTable(readme))).toBe(unpadded(readme));
});

// The formatter pads the columns of tables.
function unpadded(text: string): string {
  return text.replace(/ +\|/g, " |").replace(/-{3,}/g, "---");
}
