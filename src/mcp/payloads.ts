import { InputError } from "./tools.ts";
import type { OpenedContent } from "./workspace.ts";

/**
 * What was opened, or the value of one of its fields. Throws InputError when that isn't there, with the `rescue`. The
 * names that are there aren't quoted: a stranger chose them.
 */
export function payloadOf(
  opened: OpenedContent,
  field: string | undefined,
  rescue: () => string,
): Pick<OpenedContent, "bytes" | "format" | "isBlank" | "text"> {
  const payload = field === undefined ? opened : opened.fieldOf(field);
  if (payload) return payload;
  throw new InputError(`What was handed in doesn't have that field. Without a field, all of it is used. ${rescue()}`);
}
