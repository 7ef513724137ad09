import { isId } from "../contract/ids.ts";
import type { IdKind } from "../contract/ids.ts";
import { isDeceiving } from "../contract/person-names.ts";
import { unexpected } from "./answers.ts";
import { isReference } from "./limits.ts";

/** An object of an answer whose members are still to be looked at. */
export type Members = Readonly<Record<string, unknown>>;

const TIME = /^[2-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;
const MAX_NAME_LENGTH = 200;

/** Throws ClientError `unexpected_answer` unless `value` is an object. */
export function membersOf(value: unknown): Members {
  if (typeof value !== "object" || value === null) throw unexpected();
  return value as Members;
}

/** Throws ClientError `unexpected_answer` unless `value` is an array. */
export function listOf<T>(value: unknown, parse: (item: unknown) => T): T[] {
  if (!Array.isArray(value)) throw unexpected();
  return value.map((item: unknown) => parse(item));
}

/** `null` as it is, anything else as `parse` reads it. */
export function orNull<T>(value: unknown, parse: (value: unknown) => T): T | null {
  return value === null ? null : parse(value);
}

/** Throws ClientError `unexpected_answer` unless `value` is an id of this kind. */
export function parseIdOf(kind: IdKind, value: unknown): string {
  if (typeof value !== "string" || !isId(value, kind)) throw unexpected();
  return value;
}

/** Throws ClientError `unexpected_answer` unless `value` is a time of RFC 3339 from the year 2000 on: `Date.parse` takes comments too. */
export function parseTime(value: unknown): string {
  if (typeof value !== "string" || !TIME.test(value) || Number.isNaN(Date.parse(value))) throw unexpected();
  return value;
}

/** Throws ClientError `unexpected_answer` unless `value` is the name of a ticket. */
export function parseReference(value: unknown): string {
  if (typeof value !== "string" || !isReference(value)) throw unexpected();
  return value;
}

/** Throws ClientError `unexpected_answer` unless `value` is a whole number from 0 on. */
export function parseWhole(value: unknown): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw unexpected();
  return value;
}

/** Throws ClientError `unexpected_answer` unless `value` is true or false. */
export function parseFlag(value: unknown): boolean {
  if (typeof value !== "boolean") throw unexpected();
  return value;
}

/** Throws ClientError `unexpected_answer` unless `value` is one of these. */
export function parseOneOf<T extends string>(value: unknown, known: readonly T[]): T {
  const found = known.find((each) => each === value);
  if (found === undefined) throw unexpected();
  return found;
}

/** Throws ClientError `unexpected_answer` unless `value` could be a name: one short line, without control characters. */
export function parseName(value: unknown): string {
  if (typeof value !== "string" || value.length > MAX_NAME_LENGTH || /[\p{C}\p{Zl}\p{Zp}]/u.test(value)) {
    throw unexpected();
  }
  return value;
}

/** Throws ClientError `unexpected_answer` unless `value` could be the name of a person, in any writing. */
export function parseFullName(value: unknown): string {
  if (typeof value !== "string" || value.length > MAX_NAME_LENGTH || isDeceiving(value)) throw unexpected();
  return value;
}
