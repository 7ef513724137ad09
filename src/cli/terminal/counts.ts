import { checkAddressees, isReference } from "../../client/limits.ts";
import { parseDuration } from "../../config/units.ts";
import { REFERENCE_EXAMPLE } from "../../contract/patterns.ts";
import { usageError } from "./terminal.ts";

/** Seconds. Throws CommandError. */
export function parseExpires(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = parseDuration(text);
  if (!seconds)
    throw usageError(
      "--expires must be a duration in minutes (m), hours (h), days (d) or weeks (w), such as 30m, 12h, 1d or 1w.",
    );
  return seconds;
}

/** The seconds of `--timeout`; Infinity without it. Throws CommandError, also when the command doesn't wait. */
export function parseTimeout({ timeout, wait }: { readonly timeout?: string; readonly wait?: boolean }): number {
  if (timeout === undefined) return Infinity;
  if (!wait) throw usageError("--timeout is for --wait.");
  const seconds = parseDuration(timeout);
  if (!seconds)
    throw usageError("--timeout must be a duration in seconds (s), minutes (m) or hours (h), such as 30s, 10m or 2h.");
  return seconds;
}

/** A whole number above zero. Throws CommandError. */
export function parseCount(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw usageError(`${flag} must be 1 or more.`);
  return Number(text);
}

/** The name of a ticket, as `--reference` takes it. Throws CommandError. */
export function parseReferenceFlag(text: string | undefined): string | undefined {
  if (text === undefined || isReference(text)) return text;
  throw usageError(
    `--reference must be the name of a ticket, such as ${REFERENCE_EXAMPLE}: a letter, up to 15 more letters or digits, a hyphen, and up to 9 digits.`,
  );
}

/**
 * The addresses and domains of `--for`, which takes several with commas too; undefined without the flag. Throws
 * ClientError for what is neither, and for too many.
 */
export function parseAddressees(texts: readonly string[] | undefined): readonly string[] | undefined {
  const addressees = texts?.flatMap((text) => text.split(",")).map((each) => each.trim());
  if (addressees) checkAddressees(addressees);
  return addressees;
}

/** A number of things, such as "1 key" and "2 keys". */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Counts in words, such as "teams 1, keys 2". */
export function formatCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
}
