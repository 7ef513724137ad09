import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PARSERS } from "./support/parsers.ts";
import type { Parser } from "./support/parsers.ts";

const KIB = 1024;
/** Small ones first: what takes the square of its input would take hours for the last one. */
const SIZES = [8 * KIB, 80 * KIB, 1024 * KIB, 10 * 1024 * KIB];
/** How much more than in proportion is still put down to the machine: what goes with the square is ten times as much. */
const SLACK = 5;
/** What is shorter than this is noise, in milliseconds. */
const NOISE_MS = 20;
const ATTEMPTS = 3;

test.each(PARSERS.map((parser) => [parser.name, parser] as const))(
  "%s takes no more than in proportion for the worst input",
  async (_name, parser) => {
    for (const make of parser.inputs) expect(await findJump(parser, make)).toBeUndefined();
  },
  120_000,
);

/** Describes the first step between two sizes at which the time goes up out of proportion; undefined when none does. */
async function findJump(parser: Parser, make: Parser["inputs"][number]): Promise<string | undefined> {
  let msPerUnit = Infinity;
  for (const size of SIZES) {
    const input = make(size);
    const limit = msPerUnit * size;
    let took = await timeOf(parser, input);
    // A machine that has much else to do is no fault of the parser.
    for (let attempt = 1; attempt < ATTEMPTS && took > limit; attempt++) {
      took = Math.min(took, await timeOf(parser, input));
    }
    if (took > limit) return `${nameOf(input)} of ${size}: ${Math.round(took)} ms, and at most ${Math.round(limit)} ms`;
    msPerUnit = (Math.max(took, NOISE_MS) / size) * SLACK;
  }
  return undefined;
}

async function timeOf({ parse }: Parser, input: unknown): Promise<number> {
  const start = performance.now();
  try {
    await parse(input as never);
  } catch {
    // To be refused is an answer too.
  }
  return performance.now() - start;
}

function nameOf(input: unknown): string {
  const text =
    typeof input === "string" ? input : new TextDecoder("latin1").decode((input as Uint8Array).subarray(0, 800));
  return JSON.stringify(`${text.slice(0, 60)}…${text.slice(-10)}`);
}

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
