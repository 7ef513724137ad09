import type { ListOptions } from "../../client/pages.ts";
import type { Person } from "./clients.ts";

/** A choice of the items to list for a person. */
export interface ListChoice {
  /** The number of newest items. */
  readonly limit: number;
  /** A ticket whose newest items are listed too, however old they are; undefined for none. */
  readonly ticket?: string | undefined;
}

/** The rows of a list, each once. */
export interface TicketList<Row> {
  readonly rows: readonly Row[];
  /** True when there may be older ones, in total and for the ticket. */
  readonly hasMore: { readonly all: boolean; readonly ticket: boolean };
}

/** Lists the newest rows of a person, and the newest rows of a ticket. */
export async function listWithTicket<Row extends { readonly id: string }>(
  list: (client: Person["client"], options: ListOptions<never>) => Promise<Row[]>,
  { client, id: createdBy }: Person,
  { limit, ticket }: ListChoice,
): Promise<TicketList<Row>> {
  const [newest, about] = await Promise.all([
    list(client, { limit, createdBy }),
    ticket === undefined ? [] : list(client, { limit, createdBy, reference: ticket }),
  ]);
  const known = new Set(newest.map(({ id }) => id));
  return {
    rows: [...newest, ...about.filter(({ id }) => !known.has(id))],
    hasMore: { all: newest.length >= limit, ticket: about.length >= limit },
  };
}
