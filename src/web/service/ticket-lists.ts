import type { ListOptions } from "../../client/pages.ts";
import type { Person } from "./clients.ts";

/** The choice of what of a person's is listed. */
export interface ListChoice {
  /** The newest so many. */
  readonly limit: number;
  /** The ticket about which the newest are listed too, however old they are; undefined for none. */
  readonly ticket?: string | undefined;
}

/** Rows of a list, each once. */
export interface TicketList<Row> {
  readonly rows: readonly Row[];
  /** True when there may be older ones: of all, and of the ticket. */
  readonly hasMore: { readonly all: boolean; readonly ticket: boolean };
}

/** The newest rows that `list` lists of a person, and of those about a ticket. */
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
