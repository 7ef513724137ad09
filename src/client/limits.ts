import type { CredentialLimits, Rules } from "../contract/credentials.ts";
import { MAX_ADDRESSEES, MAX_CLAIMS, SECRET_TTL_SECONDS } from "../contract/limits.ts";
import type { OperationId } from "../contract/operations.ts";
import { REFERENCE_PATTERN } from "../contract/patterns.ts";
import type { Secret } from "../contract/secrets.ts";
import type { Approver, TeamRule } from "../contract/states.ts";
import { isBlank } from "../crypto/contents.ts";
import type { Content } from "../crypto/contents.ts";
import { ClientError } from "./errors.ts";
import { toClientError } from "./explanations.ts";
import type { LinkTerms } from "./link-bases.ts";

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/** Throws ClientError for a lifetime, in seconds, that is too short or longer than the server's `maxSeconds`. */
export function checkLifetime(seconds: number | undefined, maxSeconds: number): void {
  if (seconds === undefined || (seconds >= SECRET_TTL_SECONDS.min && seconds <= maxSeconds)) return;
  throw outOfRange(
    `The lifetime must be ${describeDuration(SECRET_TTL_SECONDS.min)} to ${describeDuration(maxSeconds)}.`,
  );
}

/** Throws ClientError for a number of claims or submissions below 1 or above the server's `max`. */
export function checkTimes(count: number | undefined, max: number, what: "claims" | "submissions"): void {
  if (count === undefined || (count >= MAX_CLAIMS.min && count <= max)) return;
  throw outOfRange(`The number of ${what} must be 1 to ${max}.`);
}

// The rules of a team are checked by the server too. Here they are checked before anything is encrypted and sent.

/**
 * Throws ClientError `team_rule` for a new link that the rules of the team don't allow, with so many claims or
 * submissions. Whether chosen people are at the right domains is left to the server.
 */
export function checkCreation(rules: Rules | null, terms: LinkTerms, count: number | undefined): void {
  checkRuledTerms(rules, terms.ttlSeconds, count);
  if (rules?.require_reference && terms.reference === undefined) throw broken("require_reference");
  if (rules?.require_for && terms.addressees === undefined) throw broken("require_for");
}

/** The same for the person who has to approve the claims of a new secret; undefined for nobody. */
export function checkRuledApprover(rules: Rules | null, approver: Approver | undefined): void {
  const least = rules?.approval ?? undefined;
  if (least !== undefined && approver !== "team" && approver !== least) throw broken("approval");
}

/** The same for terms alone; what is undefined is left to the server, or stays. */
export function checkRuledTerms(rules: Rules | null, ttlSeconds = 0, count = 0): void {
  if (ttlSeconds > (rules?.max_expires ?? Infinity)) throw broken("max_expires");
  if (count > (rules?.max_claims ?? Infinity)) throw broken("max_claims");
}

function broken(rule: TeamRule): Error {
  return toClientError("team_rule", { rule });
}

/** How much a lifetime may differ from what was asked for. */
const ROUNDING_SECONDS = 60;

/** The terms that were asked for; what is undefined was left to the server. */
interface AskedTerms {
  readonly ttlSeconds: number | undefined;
  readonly count: number | undefined;
}

/** The terms that a server answered with. */
interface AnsweredTerms {
  readonly id: string;
  /** The times at which the lifetime begins and ends, in epoch milliseconds. */
  readonly from: number;
  readonly until: number;
  readonly count: number;
}

/**
 * Throws ClientError `other_terms` when a server answered with other terms than those that were asked for: an older
 * server, or something in front of it, may have dropped them. The operation was carried out all the same.
 */
export function checkTerms(operation: OperationId, asked: AskedTerms, { id, from, until, count }: AnsweredTerms): void {
  const { ttlSeconds = (until - from) / 1000 } = asked;
  const differences = [
    ...(asked.count === undefined || asked.count === count
      ? []
      : [`It can be used ${timesOf(count)}, not ${timesOf(asked.count)}.`]),
    ...(Math.abs((until - from) / 1000 - ttlSeconds) <= ROUNDING_SECONDS
      ? []
      : [`It ends at ${new Date(until).toISOString()}, not after ${describeDuration(ttlSeconds)}.`]),
  ];
  if (differences.length > 0) throw otherTerms(operation, id, differences);
}

function otherTerms(operation: OperationId, id: string, differences: readonly string[]): ClientError {
  const meaning = `The server didn't take the terms that you asked for. ${differences.join(" ")}`;
  const advice = `Revoke ${id} unless you want it so.`;
  return new ClientError("other_terms", "failure", { meaning, advice }, { unknownOutcomeOf: operation });
}

function timesOf(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

const REFERENCE = new RegExp(REFERENCE_PATTERN);

/** True for text that servers accept as a ticket name. */
export function isReference(text: string): boolean {
  return REFERENCE.test(text);
}

/** An address of mail or, after an asterisk, a domain, as servers take them. */
const ADDRESSEE = /^(\*|[\p{L}\p{N}][\p{L}\p{M}\p{N}._'’+&():/-]*)@[\p{L}\p{M}\p{N}.-]*[\p{L}\p{M}\p{N}]$/u;
const MAX_ADDRESSEE_LENGTH = 64;

/** Throws ClientError for people who can't be chosen: too many or none, or what is neither an address nor a domain. */
export function checkAddressees(addressees: readonly string[]): void {
  if (addressees.length === 0 || addressees.length > MAX_ADDRESSEES) {
    throw outOfRange(`It can be for 1 to ${MAX_ADDRESSEES} addresses. Nothing was sent.`);
  }
  if (addressees.every((each) => ADDRESSEE.test(each) && Array.from(each).length <= MAX_ADDRESSEE_LENGTH)) return;
  throw outOfRange(
    "It can be for addresses, such as ann@example.com, and for all of a domain, as in *@example.com. One of those given is neither. Nothing was sent.",
  );
}

/** Throws ClientError for people who can't be chosen, and where the server can have no address proven. */
export function checkProvable(addressees: readonly string[] | undefined, limits: CredentialLimits): void {
  if (addressees === undefined) return;
  checkAddressees(addressees);
  if (limits.proves_addresses === true) return;
  throw outOfRange(
    "This server can't have an address proven: it has neither mail nor single sign-on, or is too old. Nothing was sent.",
  );
}

/**
 * Throws ClientError `other_terms` when people were chosen and the server answered that it's for everybody with the
 * link. The operation was carried out all the same.
 */
export function checkChosen(
  operation: OperationId,
  asked: readonly string[] | undefined,
  { id, for: addressees }: { readonly id: string; readonly for: readonly string[] | null },
): void {
  if (asked === undefined || addressees !== null) return;
  throw otherTerms(operation, id, ["It's for everybody with the link, not for those alone that you named."]);
}

/** The same when an approval was asked for, and the server answered that nobody has to approve. */
export function checkApprover(asked: Approver | undefined, { id, approval }: Pick<Secret, "id" | "approval">): void {
  if (asked === undefined || approval === asked) return;
  throw otherTerms("createSecret", id, ["It can be opened without the approval that you asked for."]);
}

/** Throws ClientError for blank text. */
export function checkNotBlank(content: Content): void {
  if (content.kind !== "text" || !isBlank(content.text)) return;
  throw outOfRange("The text is empty, so nothing was sent.");
}

/** The bytes that the archive and age add to content, beside the overhead of each chunk. */
const OVERHEAD_BYTES = 4096;

/** The least and the most bytes of content that fit into `ciphertextBytes` of base64 ciphertext. */
export function contentBytesOf(ciphertextBytes: number): { readonly least: number; readonly most: number } {
  const decoded = (ciphertextBytes * 3) / 4;
  return { least: Math.max(0, Math.floor(decoded - decoded / 2048 - OVERHEAD_BYTES)), most: Math.floor(decoded) };
}

/** About the most bytes of content that can be sent, in one envelope or in pieces. */
export function largestContentOf(limits: Pick<CredentialLimits, "max_ciphertext_bytes" | "max_secret_bytes">): number {
  return Math.max(contentBytesOf(limits.max_ciphertext_bytes).most, limits.max_secret_bytes ?? 0);
}

/** The error for content that is larger than `maxBytes`, which the server or the team's rules allow. */
export function tooLarge(maxBytes: number): ClientError {
  const power = Math.min(UNITS_OF_SIZE.length - 1, Math.max(0, Math.floor(Math.log2(maxBytes) / 10)));
  const limit = `${(maxBytes / 1024 ** power).toFixed(1)} ${UNITS_OF_SIZE[power]}`;
  return new ClientError("payload_too_large", "failure", `This is too large: the limit is about ${limit}.`);
}

const UNITS_OF_SIZE = ["bytes", "KiB", "MiB", "GiB"] as const;

function outOfRange(message: string): ClientError {
  return new ClientError("schema_mismatch", "usage", message);
}

/** Writes the duration in the largest unit that divides it. */
function describeDuration(seconds: number): string {
  const [unit, size] = UNITS.find((each) => seconds % each[1] === 0) ?? ["second", 1];
  const count = seconds / size;
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
