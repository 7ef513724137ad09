import { isId } from "../contract/ids.ts";
import type { IdKind } from "../contract/ids.ts";
import { unexpected } from "./answers.ts";

/** An unchecked object of an answer. */
export type Members = Readonly<Record<string, unknown>>;

/** Throws ClientError `unexpected_answer` unless `value` is an object. */
export function membersOf(value: unknown): Members {
  if (typeof value !== "object" || value === null) throw unexpected();
  return value as Members;
}

/** Parses each item of an array. Throws ClientError `unexpected_answer` unless `value` is one. */
export function listOf<T>(value: unknown, parse: (item: unknown) => T): T[] {
  if (!Array.isArray(value)) throw unexpected();
  return value.map((item: unknown) => parse(item));
}

/** Returns null for null, and anything else as `parse` reads it. */
export function orNull<T>(value: unknown, parse: (value: unknown) => T): T | null {
  return value === null ? null : parse(value);
}

/** Throws ClientError `unexpected_answer` unless `value` is an id of this kind. */
export function parseIdOf(kind: IdKind, value: unknown): string {
  if (typeof value !== "string" || !isId(value, kind)) throw unexpected();
  return value;
}
