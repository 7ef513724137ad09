import { expect, test } from "bun:test";
import { findJump } from "../support/linear-time.ts";
import { PARSERS } from "../support/parsers.ts";

const KIB = 1024;
/** Up to the largest that is taken anywhere. */
const SIZES = [8 * KIB, 80 * KIB, 1024 * KIB, 10 * 1024 * KIB];

test.each(PARSERS.map((parser) => [parser.name, parser] as const))(
  "%s takes no more than in proportion for the worst input of ten megabytes",
  async (_name, parser) => {
    for (const make of parser.inputs) expect(await findJump(parser, make, SIZES)).toBeUndefined();
  },
  120_000,
);
