import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PARSERS } from "./support/parsers.ts";

const EXPORTED_PARSER = /^export (?:async )?function ((?:parse|decode|split|detect|unpack)[A-Z]\w*)/gm;

test("every exported parser is in the table of those whose time is measured", () => {
  const root = join(import.meta.dir, "../src");
  const names = new Set(PARSERS.map(({ name }) => name));
  const missing = [...new Bun.Glob("{contract,crypto,client,domain,http,cli,config,web}/**/*.{ts,tsx}").scanSync(root)]
    .toSorted()
    .flatMap((path) =>
      [...readFileSync(join(root, path), "utf8").matchAll(EXPORTED_PARSER)].map(([, name = ""]) => name),
    )
    .filter((name) => !names.has(name));
  expect(missing).toEqual([]);
});
