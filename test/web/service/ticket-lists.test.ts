import { expect, test } from "bun:test";
import type { ListOptions } from "../../../src/client/pages.ts";
import { listWithTicket } from "../../../src/web/service/ticket-lists.ts";
import { createTestClient } from "../../support/clients.ts";

const person = { client: createTestClient({}), id: "idn_ann" } as unknown as Parameters<typeof listWithTicket>[1];

/** Lists so many rows, of which those after the third are about the ticket. */
const listOf = (count: number) => {
  const rows = Array.from({ length: count }, (_, number) => ({ id: String(number), isOfTicket: number >= 3 }));
  return async (_client: unknown, { limit, reference }: ListOptions<never>) =>
    rows.filter(({ isOfTicket }) => reference === undefined || isOfTicket).slice(0, limit);
};

test("rows that are new and of the ticket are listed once, and both lists may have more", async () => {
  const { rows, hasMore } = await listWithTicket(listOf(6), person, { limit: 4, ticket: "OPS-1" });
  expect(rows.map(({ id }) => id)).toEqual(["0", "1", "2", "3", "4", "5"]);
  expect(hasMore).toEqual({ all: true, ticket: false });
  const more = await listWithTicket(listOf(9), person, { limit: 4, ticket: "OPS-1" });
  expect(more.hasMore).toEqual({ all: true, ticket: true });
  const few = await listWithTicket(listOf(2), person, { limit: 4 });
  expect(few.hasMore).toEqual({ all: false, ticket: false });
});
