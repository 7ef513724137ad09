import { expect, test } from "bun:test";
import { findJump } from "./support/linear-time.ts";
import { PARSERS } from "./support/parsers.ts";

// The whole suite leaves this file out: test/e2e/linear-time.test.ts has larger inputs.
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
