import { expect, test } from "bun:test";
import { findJump } from "../support/linear-time.ts";
import { PARSERS } from "../support/parsers.ts";

const KIB = 1024;
/**
 * Up to nearly half of the largest input anywhere: quadratic time would take a hundred times as long for the last as
 * for the one before.
 */
const SIZES = [4 * KIB, 40 * KIB, 400 * KIB, 4000 * KIB];

test.each(PARSERS.map((parser) => [parser.name, parser] as const))(
  "%s takes linear time for its worst input of four megabytes",
  async (_name, parser) => {
    const { endBytes = Infinity } = parser;
    // With the first size that is too long, so that the last step is as large as the others.
    const sizes = SIZES.filter((_, at) => (SIZES[at - 1] ?? 0) < endBytes);
    for (const make of parser.inputs) expect(await findJump(parser, make, sizes)).toBeUndefined();
  },
  120_000,
);
