import { MAX_PAGE_SIZE } from "../contract/limits.ts";
import type { PageOf } from "../contract/pages.ts";
import { type HttpClient, unexpected } from "./http-client.ts";

/** What of the team's is listed. */
export interface ListOptions<State> {
  /** How many at most. */
  readonly limit: number;
  readonly state?: State | undefined;
  /** Only what this identity made. */
  readonly createdBy?: string | undefined;
}

/** The rows of a list, page after page; `check` looks at each and throws for what is none. Throws ClientError. */
export async function listPages<Row, State extends string>(
  client: HttpClient,
  operation: "listSecrets" | "listRequests",
  { limit, state, createdBy }: ListOptions<State>,
  check: (row: Row) => Row,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const query = { state, created_by: createdBy, cursor, limit: Math.min(MAX_PAGE_SIZE, limit - rows.length) };
    const page: PageOf<Row> = await client.call(operation, { query });
    if (!Array.isArray(page.data)) throw unexpected();
    rows.push(...page.data.map((row) => check(row)));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && rows.length < limit);
  return rows;
}
