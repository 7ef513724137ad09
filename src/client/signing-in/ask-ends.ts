import type { HttpClient } from "../http-client.ts";
import { listOf, membersOf } from "../shapes.ts";

/** The end of an ask that waits (RFC 3339). */
export interface AskEnd {
  readonly expires_at: string;
}

/**
 * The ends of the asks that wait, and that the caller may decide. The page counts asks where it has no need of their
 * shapes. Throws ClientError.
 */
export async function listAskEnds(client: HttpClient): Promise<AskEnd[]> {
  const { data } = membersOf(await client.call("listAsks"));
  return listOf(data, (each) => ({ expires_at: String(membersOf(each)["expires_at"]) }));
}
