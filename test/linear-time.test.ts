import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findJump } from "./support/linear-time.ts";
import { PARSERS } from "./support/parsers.ts";

const KIB = 1024;
/** Small ones first. What goes with the square of its input takes a minute and more for the last one. */
const SIZES = [8 * KIB, 64 * KIB, 512 * KIB];

test.each(PARSERS.map((parser) => [parser.name, parser] as const))(
  "%s takes no more than in proportion for the worst input",
  async (_name, parser) => {
    for (const make of parser.inputs) expect(await findJump(parser, make, SIZES)).toBeUndefined();
  },
  120_000,
);

test("every parser that there is stands in the table", () => {
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

const EXPORTED_PARSER = /^export (?:async )?function ((?:parse|decode|split|detect|unpack)[A-Z]\w*)/gm;
