import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sbomOf } from "../../scripts/release.d/sbom.ts";
import { settingsFile } from "../../scripts/release.d/settings-file.ts";
import { readComponents } from "../../src/cli/server/components/components.ts";
import { SETTINGS } from "../../src/config/settings.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { runHere } from "../support/terminals.ts";

interface Shown {
  readonly name: string;
  readonly value: unknown;
  readonly from: string;
}

test("the settings file of a package is valid, changes what it says, and shows every setting with its default", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "handoff.toml");
  const show = async (text: string): Promise<readonly Shown[]> => {
    writeFileSync(path, text);
    const { stdout, exitCode } = await runHere(["config", "--json", "--config", path], {});
    expect(exitCode).toBe(0);
    return JSON.parse(stdout);
  };
  const text = settingsFile();
  const shown = await show(text);
  expect(shown.filter(({ from }) => from === "file").map(({ name }) => name)).toEqual(["require-encrypted"]);

  // Without the # of those that have a value, nothing changes.
  const all = await show(text.replaceAll(/^#(?!.* = ""$)(?=[a-z-]+ = )/gm, ""));
  const values = (list: readonly Shown[]) => list.map(({ name, value }) => [name, value]);
  const lists: readonly string[] = Object.values(SETTINGS).flatMap(({ kind, name }) => (kind === "list" ? [name] : []));
  const withoutLists = (list: readonly Shown[]) => values(list.filter(({ name }) => !lists.includes(name)));
  expect(withoutLists(all)).toEqual(withoutLists(shown));
  const named = [...text.matchAll(/^#?([a-z-]+) = /gm)].map(([, name]) => name);
  expect(named).toEqual(Object.values(SETTINGS).map(({ name }) => name));
});

test("the list of components names each one once, and what handoff depends on is in it", () => {
  const sbom = sbomOf({ version: "1.2.3", commit: "0".repeat(40), epoch: 1_700_000_000 }) as {
    readonly components: readonly { readonly "bom-ref": string; readonly purl?: string; readonly version: string }[];
    readonly dependencies: readonly { readonly dependsOn: readonly string[] }[];
  };
  const refs = sbom.components.map((each) => each["bom-ref"]);
  expect(new Set(refs).size).toBe(readComponents().length);
  expect(sbom.dependencies[0]?.dependsOn).toEqual(refs);
  expect(refs).toContain(`pkg:npm/bun@${Bun.version}`);
  expect(refs.filter((ref) => ref.startsWith("pkg:npm/%40noble/hashes@")).length).toBeGreaterThan(0);
});
