import type { DecodedContent } from "../../crypto/contents.ts";
import { compareToForm } from "../../crypto/form-differences.ts";
import { decodeFields } from "../../crypto/forms.ts";
import type { FormField } from "../../crypto/forms.ts";
import { ACTIVITY } from "../texts/activity.ts";

const { differences: words } = ACTIVITY.collect;

/**
 * A sentence on how what was handed in differs from `form`; undefined when it doesn't, or where no form was asked for.
 */
export function describeDifference(form: readonly FormField[], content: DecodedContent): string | undefined {
  if (form.length === 0) return undefined;
  const filled = content.kind === "text" ? decodeFields(content.text) : undefined;
  if (!filled) return words.otherThing;
  const { missing, several, unasked } = compareToForm(form, filled);
  const parts = [
    ...missing.map(({ name }) => words.missing(name)),
    ...several.map(({ name }) => words.several(name)),
    ...unasked.map(({ name }) => words.unasked(name)),
  ];
  return parts.length === 0 ? undefined : words.differs(parts.join(words.separator));
}
