import { answerSchema } from "../../contract/answer-schemas.ts" with { type: "macro" };
import { unexpected } from "../answers.ts";
import type { HttpClient } from "../http-client.ts";
import { listOf, membersOf, orNull, parseBySchema, parseIdOf } from "../shapes.ts";

const LINE = answerSchema("AuditLine");

/** A line of the audit. A later server may send types that this version does not know. */
export type SeenLine = NonNullable<(typeof LINE)["answer"]>;

/** The members of a line, in the order of the columns of CSV. */
export const COLUMNS = [
  "time",
  "type",
  "secret_id",
  "request_id",
  "reference",
  "actor",
  "identity",
  "name",
  "address",
  "proof",
  "network",
  "ask",
  "id",
] as const satisfies readonly (keyof SeenLine)[];

/** Lines of the audit, and whether there are more. */
export interface Audit {
  /** Oldest first. */
  readonly lines: readonly SeenLine[];
  readonly hasMore: boolean;
}

/**
 * Reads the audit of the team from `since` until before `until` (epoch milliseconds), up to about `most` lines. Throws
 * ClientError.
 */
export async function readAudit(
  client: HttpClient,
  { since, until, most }: { readonly since: number; readonly until: number | undefined; readonly most: number },
): Promise<Audit> {
  const lines: SeenLine[] = [];
  const range = { since: toTime(since), until: until === undefined ? undefined : toTime(until) };
  for (let cursor: string | undefined; ;) {
    const page = membersOf(await client.call("listAudit", { query: { ...range, cursor } }));
    lines.push(...listOf(page["data"], parseAuditLine));
    const next = orNull(page["next_cursor"], (value) => parseIdOf("event", value));
    if (next === null || lines.length >= most) return { lines, hasMore: next !== null };
    // Even a server that repeats its pages has an end.
    if (cursor !== undefined && next <= cursor) throw unexpected();
    cursor = next;
  }
}

/** Parses a line of the audit. Throws ClientError `unexpected_answer`. */
export function parseAuditLine(value: unknown): SeenLine {
  return parseBySchema(LINE, value);
}

function toTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
