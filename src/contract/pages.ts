import { Type } from "@sinclair/typebox";
import type { IdKind } from "./id-prefixes.ts";
import { Id } from "./ids.ts";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "./limits.ts";

/** One page of a list on the wire. */
export interface PageOf<T> {
  data: T[];
  next_cursor: string | null;
}

/** The query parameters by which a list of `kind` is paged. */
export function PageQuery(kind: IdKind) {
  return {
    limit: PageLimit(),
    cursor: Type.Optional(Id(kind, "The `next_cursor` of the page before. One from the future is rejected.")),
  };
}

/** The query parameter that says how many rows a page has. */
export function PageLimit() {
  return Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_PAGE_SIZE,
      default: DEFAULT_PAGE_SIZE,
      description: "Rows on a page.",
    }),
  );
}

/** An operation without query parameters. */
export const NoQuery = Type.Object({}, { additionalProperties: false });
