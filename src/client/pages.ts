import { isId } from "../contract/ids.ts";
import { MAX_PAGE_SIZE } from "../contract/limits.ts";
import type { RequestState, SecretState } from "../contract/states.ts";
import { unexpected } from "./answers.ts";
import type { HttpClient } from "./http-client.ts";
import { listOf, membersOf, orNull } from "./members.ts";

/** The choice of what of the team's is listed. */
export interface ListOptions<State> {
  /** The most rows that are listed. */
  readonly limit: number;
  readonly state?: State | undefined;
  /** Only what this identity made. */
  readonly createdBy?: string | undefined;
  /** Only what is about this ticket. */
  readonly reference?: string | undefined;
}

/** The rows of a list, page after page; `parse` reads each and throws for what is none. Throws ClientError. */
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
    // A page of nothing that names another one would do so for ever.
    if (found.length === 0) break;
  } while (cursor !== undefined && rows.length < limit);
  return rows;
}

function parseCursor(value: unknown): string {
  if (typeof value !== "string" || !isId(value, "any")) throw unexpected();
  return value;
}
