import { MAX_PAGE_SIZE } from "../contract/limits.ts";
import type { HttpClient } from "./http-client.ts";
import { listOf, membersOf, orNull, parseIdOf } from "./members.ts";

/** The events of a team since they were last asked for. */
export interface NewEvents {
  readonly count: number;
  /** The `after` of the next call; undefined when nothing has ever happened. */
  readonly next: string | undefined;
}

/** Asks what has happened after an event, or `now`; waits for it for so many seconds at most. Throws ClientError. */
export async function watchEvents(client: HttpClient, after?: string, waitSeconds?: number): Promise<NewEvents> {
  const wait = waitSeconds === undefined ? {} : { waitSeconds };
  const page = membersOf(await client.call("listEvents", { query: { after, limit: MAX_PAGE_SIZE }, ...wait }));
  const { length: count } = listOf(page["data"], membersOf);
  return { count, next: orNull(page["next_cursor"], (value) => parseIdOf("event", value)) ?? undefined };
}
