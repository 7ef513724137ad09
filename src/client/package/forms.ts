import type { DecodedContent } from "../../crypto/contents.ts";
import { checkForm, decodeFields, FIELD_KINDS, parseField } from "../../crypto/forms.ts";
import type { FormField } from "../../crypto/forms.ts";
import { wrong } from "./calls.ts";

/** A field that a request asks for. */
export interface Field {
  readonly name: string;
  /** `password` is a line that isn't shown while it is typed, `multiline` is text of several lines. */
  readonly kind: "text" | "password" | "multiline";
}

/** The values of fields, by their names. */
export type FieldValues = Readonly<Record<string, string>>;

/** The fields of a new request. Throws ClientError and FormError. @internal */
export function toFields(fields: readonly (string | Field)[] = []): readonly FormField[] {
  if (!Array.isArray(fields)) throw wrong("The fields must be a list.");
  const form = fields.map((each: unknown) => {
    if (typeof each === "string") return parseField(each);
    const { name, kind: given }: Readonly<Record<string, unknown>> = { ...(each as object | null) };
    const kind = FIELD_KINDS.find((known) => known === given);
    if (typeof name === "string" && kind !== undefined) return { name, kind };
    throw wrong(`A field is a name, or an object with a name and a kind: ${FIELD_KINDS.join(", ")}.`);
  });
  checkForm(form);
  return form;
}

/** True for values by names. Throws ClientError when one isn't text. @internal */
export function areFieldValues(content: unknown): content is { readonly fields: FieldValues } {
  if (typeof content !== "object" || content === null || !("fields" in content)) return false;
  const { fields, ...others } = content;
  if (Object.keys(others).length > 0) throw wrong("Give either fields, or text and files.");
  const isObject = typeof fields === "object" && fields !== null && !Array.isArray(fields);
  if (isObject && Object.values(fields).every((value) => typeof value === "string")) return true;
  throw wrong("The fields must be an object with a string for each name.");
}

/** The values of what was handed in to a form; undefined when something else was. @internal */
export function toFieldValues(content: DecodedContent): FieldValues | undefined {
  const filled = content.kind === "text" ? decodeFields(content.text) : undefined;
  return filled && Object.fromEntries(filled.map(({ name, value }) => [name, value]));
}
