import { isId } from "../contract/ids.ts";
import { hasUnseen, isDeceiving } from "../contract/names.ts";
import { AdminError } from "./administration.ts";
import { toName } from "./values/name-forms.ts";

const MAX_LENGTH = 64;
// Letters and digits of any script with their marks, punctuation of names, and joiners.
const NAME_PATTERN = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ._@'’+&(),:/-]|\u200c|\u200d)*$/u;
const ALLOWED = "letters of any writing, digits, spaces and . _ @ - ' + & ( ) , : /, beginning with a letter or digit";

// The mail server decides about the part before the @; a host follows it.
const EMAIL_PATTERN = /^[^@\s]+@[\p{L}\p{M}\p{N}.-]*[\p{L}\p{M}\p{N}]$/u;

/**
 * Throws AdminError unless `address`, in its stored form, is a valid address of a person that doesn't look like an id.
 */
export function checkAddress(address: string): void {
  if (isId(address, "any")) throw new AdminError("not an address for a person: it looks like an id", "usage");
  if (isName(address) && (!address.includes("@") || EMAIL_PATTERN.test(address))) return;
  throw new AdminError(
    `not an address for a person: 1 to ${MAX_LENGTH} characters that can be seen, such as ann@example.com: something on both sides of one @, or a name without one: ${ALLOWED}`,
    "usage",
  );
}

/** True for what `checkAddress` takes. */
export function isAddress(text: string): boolean {
  try {
    checkAddress(text);
    return true;
  } catch (error) {
    if (error instanceof AdminError) return false;
    throw error;
  }
}

/** A domain as rules have it; undefined for text that is none. */
export function parseDomain(text: string): string | undefined {
  const domain = toName(text).toLowerCase();
  return !domain.includes("@") && isAddress(`x@${domain}`) ? domain : undefined;
}

/** Throws AdminError unless `name`, in its stored form, is a valid name that doesn't look like an id. */
export function checkName(kind: string, name: string): void {
  if (isId(name, "any")) throw new AdminError(`not a name for ${article(kind)} ${kind}: it looks like an id`, "usage");
  if (isName(name)) return;
  throw new AdminError(`not a name for ${article(kind)} ${kind}: 1 to ${MAX_LENGTH} ${ALLOWED}`, "usage");
}

function isName(text: string): boolean {
  const isShort = text.length <= 2 * MAX_LENGTH && Array.from(text).length <= MAX_LENGTH;
  return isShort && NAME_PATTERN.test(text) && !isDeceiving(text) && !hasUnseen(text) && text === toName(text);
}

function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? "an" : "a";
}
