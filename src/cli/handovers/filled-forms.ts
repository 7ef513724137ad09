import type { DecodedContent } from "../../crypto/contents.ts";
import { compareToForm } from "../../crypto/form-differences.ts";
import type { FormDifferences } from "../../crypto/form-differences.ts";
import { decodeFields, findField, namesOf } from "../../crypto/forms.ts";
import type { FilledField, FormField } from "../../crypto/forms.ts";
import type { KeptRequest } from "../state/kept-requests.ts";
import { usageError, warn } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { FieldError, toFilledForm } from "./deliveries.ts";
import type { Deliverable } from "./deliveries.ts";

/** Throws CommandError for a field that the request is known not to ask for, before a claim is used up. */
export function checkAsked({ id, fields }: KeptRequest, field: string | undefined): void {
  if (field === undefined || fields === undefined || findField(fields, field)) return;
  const asked = fields.length === 0 ? "no fields" : `only these fields: ${namesOf(fields)}`;
  throw usageError(`${id} asks for ${asked}`);
}

/** The fields that were handed in; undefined when something else was. */
function findFields(content: DecodedContent): readonly FilledField[] | undefined {
  return content.kind === "text" ? decodeFields(content.text) : undefined;
}

/** The value of a field of what was handed in; undefined when there is none. */
export function findValue(content: DecodedContent, field: string): string | undefined {
  return findField(findFields(content) ?? [], field)?.value;
}

/** How what was handed in differs from the fields that were asked for; undefined when none were. */
export function findDifferences(
  { fields: form = [] }: KeptRequest,
  content: DecodedContent,
): FormDifferences | undefined {
  return form.length === 0 ? undefined : compareToForm(form, findFields(content) ?? []);
}

/**
 * The value of a field of what was handed in. Warns when it isn't what was asked for. Throws FieldError when there is
 * none; `remedy` says how to get at what has no fields.
 */
export function valueOf(
  terminal: Terminal,
  { fields: form = [] }: KeptRequest,
  content: DecodedContent,
  { field, remedy }: { readonly field: string; readonly remedy: string },
): string {
  const filled = findFields(content);
  if (!filled) throw new FieldError("What was handed in has no fields.", remedy);
  const found = findField(filled, field);
  if (!found) {
    throw new FieldError(`What was handed in has other fields: ${namesOf(filled)}.`, WITH_ONE);
  }
  const { several } = compareToForm(form, [found]);
  if (several.length > 0) warn(terminal, tellSeveral(several));
  return found.value;
}

/** Throws FieldError for fields, of which a place for one text takes only one. */
export function checkNoFields(content: DecodedContent): void {
  const filled = findFields(content);
  if (!filled) return;
  throw new FieldError(`What was handed in has these fields: ${namesOf(filled)}.`, WITH_ONE);
}

const WITH_ONE = "Run the same command with one of them,";

function tellSeveral(fields: readonly FormField[]): string {
  return `Several lines were handed in for ${namesOf(fields)}, where one was asked for.`;
}

/**
 * What is written of what was handed in for a request: the value of `field`, or without one, the fields in the order of
 * the form. Content of a request without a form stays as it is. Warns when it isn't what was asked for. Throws
 * FieldError for a field that isn't there.
 */
export function toDelivered(
  terminal: Terminal,
  kept: KeptRequest,
  content: DecodedContent,
  field: string | undefined,
): Deliverable {
  const remedy = "Run the same command without the name of a field,";
  if (field !== undefined) return { kind: "text", text: valueOf(terminal, kept, content, { field, remedy }) };
  const { fields: form } = kept;
  if (form?.length === 0) return content;
  const filled = findFields(content);
  if (!filled) {
    if (form)
      warn(terminal, "The request asks for fields, and something else was handed in. It is written as it came.");
    return content;
  }
  if (!form) return toFilledForm(filled);
  const { missing, several, unasked } = compareToForm(form, filled);
  if (missing.length > 0) warn(terminal, `Nothing was handed in for ${namesOf(missing)}.`);
  if (several.length > 0) warn(terminal, tellSeveral(several));
  if (unasked.length > 0) warn(terminal, `Handed in and not asked for: ${namesOf(unasked)}.`);
  const place = ({ name }: FilledField) => form.findIndex((each) => each.name === name);
  const [asked, others] = [filled.filter((each) => place(each) >= 0), filled.filter((each) => place(each) < 0)];
  return toFilledForm([...asked.toSorted((one, other) => place(one) - place(other)), ...others]);
}
