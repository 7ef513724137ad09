import { expect, test } from "bun:test";
import { readAudit } from "../../../src/client/audit/lines.ts";
import { AuditLine } from "../../../src/contract/events.ts";
import { createTestClient, errorOf, exampleOf } from "../../support/clients.ts";

const LINE = exampleOf(AuditLine);
const CURSORS = ["evt_", "evt_"].map((prefix, index) => `${prefix}${String(index).repeat(26)}`);
const RANGE = { since: Date.parse("2026-11-01T00:00:00Z"), until: undefined, most: 100 };

test("all pages are read, and none after the last or beyond the most that is wanted", async () => {
  const pages = [CURSORS[0], CURSORS[1], null].map((next) => ({ data: [LINE, LINE], next_cursor: next }));
  const serve = () => {
    const left = [...pages];
    return createTestClient({ listAudit: () => left.shift() });
  };
  const client = serve();
  const { lines, hasMore } = await readAudit(client, RANGE);
  expect({ lines: lines.length, hasMore }).toEqual({ lines: 6, hasMore: false });
  expect(client.calls.map(({ query }) => query)).toMatchObject([
    { since: "2026-11-01T00:00:00.000Z" },
    { cursor: CURSORS[0] },
    { cursor: CURSORS[1] },
  ]);
  const few = serve();
  const part = await readAudit(few, { ...RANGE, most: 3 });
  expect({ lines: part.lines.length, hasMore: part.hasMore, calls: few.calls.length }).toEqual({
    lines: 4,
    hasMore: true,
    calls: 2,
  });
});

test.each([
  ["repeats a page", { data: [LINE], next_cursor: CURSORS[0] }],
  ["sends a cursor of another kind", { data: [], next_cursor: "sec_00000000000000000000000000" }],
  ["sends a line with a deceiving name", { data: [{ ...LINE, name: "nnA\u202E" }], next_cursor: null }],
  ["sends no lines", { next_cursor: null }],
])("a server that %s is refused", async (_, page) => {
  const client = createTestClient({ listAudit: () => page });
  expect(await errorOf(readAudit(client, RANGE))).toMatchObject({ code: "unexpected_answer" });
  expect(client.calls.length).toBeLessThanOrEqual(2);
});

test("a line of a later type is read, and says what it is", async () => {
  const line = { ...LINE, type: "secret.weighed", actor: "robot", proof: "dance" };
  const client = createTestClient({ listAudit: () => ({ data: [line], next_cursor: null }) });
  expect((await readAudit(client, RANGE)).lines).toEqual([expect.objectContaining({ type: "secret.weighed" })]);
});
