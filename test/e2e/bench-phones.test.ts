import { expect, test } from "bun:test";
import { measurePhone } from "../../scripts/bench/phones.ts";

test("the benchmark opens a link and reads the documentation as a phone does", async () => {
  const rows = await measurePhone({ runs: 1, slowdown: 1, line: undefined });
  expect(rows.map(({ measure }) => measure)).toEqual([
    "opening a link: navigation to the first screen on a slow phone, median of 1",
    "opening a link: tap to the secret on a slow phone, median of 1",
    "`/docs`: navigation to the list of operations on a slow phone, median of 1",
    "`/docs`: navigation to all that Swagger UI shows on a slow phone, median of 1",
  ]);
  for (const { value } of rows) expect(value).toMatch(/^[1-9]\d*\.\d ms$/);
}, 60_000);
