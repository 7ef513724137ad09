import { isId } from "../contract/ids.ts";
import { MAX_PAGE_SIZE } from "../contract/limits.ts";
import type { RequestState, SecretState } from "../contract/states.ts";
import { unexpected } from "./answers.ts";
import type { HttpClient } from "./http-client.ts";
import { listOf, membersOf, orNull } from "./shapes.ts";

/** Selects the rows of a list. */
export interface ListOptions<State> {
  /** The maximum number of rows. */
  readonly limit: number;
  readonly state?: State | undefined;
  /** Only rows made by this identity. */
  readonly createdBy?: string | undefined;
  /** Only rows with this ticket. */
  readonly reference?: string | undefined;
}

/** Fetches the rows of a list, page by page. `parse` checks each row. Throws ClientError, and what `parse` throws. */
export async function listPages<Row, State extends SecretState | RequestState>(
  client: HttpClient,
  operation: "listSecrets" | "listRequests",
  { limit, state, createdBy, reference }: ListOptions<State>,
  parse: (row: unknown) => Row,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const query = {
      state,
      created_by: createdBy,
      reference,
      cursor,
      limit: Math.min(MAX_PAGE_SIZE, limit - rows.length),
    };
    const page = membersOf(await client.call(operation, { query }));
    const found = listOf(page["data"], parse).slice(0, limit - rows.length);
    rows.push(...found);
    cursor = orNull(page["next_cursor"], parseCursor) ?? undefined;
    // A server could send empty pages with a cursor forever.
    if (found.length === 0) break;
  } while (cursor !== undefined && rows.length < limit);
  return rows;
}

function parseCursor(value: unknown): string {
  if (typeof value !== "string" || !isId(value, "any")) throw unexpected();
  return value;
}
