import { isId } from "../contract/ids.ts";
import { isDeceiving } from "../contract/person-names.ts";
import { AdminError } from "./administration.ts";
import { toName } from "./name-forms.ts";

const MAX_LENGTH = 64;
// Letters and digits of any writing, with their marks, and what joins them in some languages.
const NAME_PATTERN = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ._@'’+&(),:/-]|\u200c|\u200d)*$/u;

/** Throws AdminError for what is no name as it is kept, or looks like an id. */
export function checkName(kind: string, name: string): void {
  if (isId(name, "any")) throw new AdminError(`not a name for ${article(kind)} ${kind}: it looks like an id`);
  const isShort = name.length <= 2 * MAX_LENGTH && Array.from(name).length <= MAX_LENGTH;
  if (isShort && NAME_PATTERN.test(name) && !isDeceiving(name) && name === toName(name)) return;
  throw new AdminError(
    `not a name for ${article(kind)} ${kind}: 1 to ${MAX_LENGTH} letters of any writing, digits, spaces and . _ @ - ' + & ( ) , : /, beginning with a letter or digit`,
  );
}

function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? "an" : "a";
}
