import { expect, test } from "bun:test";
import { findJump } from "../support/linear-time.ts";
import { PARSERS } from "../support/parsers.ts";

const KIB = 1024;
/** Quadratic time would take a hundred times as long for each as for the one before. */
const SIZES = [2 * KIB, 20 * KIB, 200 * KIB, 2000 * KIB];

test.each(PARSERS.map((parser) => [parser.name, parser] as const))(
  "%s takes linear time for its worst input of two megabytes",
  async (_name, parser) => {
    const { endBytes = Infinity } = parser;
    // With the first size that is too long, so that the last step is as large as the others.
    const sizes = SIZES.filter((_, at) => (SIZES[at - 1] ?? 0) < endBytes);
    for (const make of parser.inputs) expect(await findJump(parser, make, sizes)).toBeUndefined();
  },
  120_000,
);
