import { isDeceiving, replaceUnseen } from "../contract/names.ts";
import { UserError } from "../contract/user-errors.ts";
import { FORM_START } from "./form-start.ts";

/** The kinds of fields: a line that may be shown, a line to hide, and text of several lines. */
export const FIELD_KINDS = ["text", "password", "multiline"] as const;
type FieldKind = (typeof FIELD_KINDS)[number];

/** A field that a request asks for. */
export interface FormField {
  readonly name: string;
  readonly kind: FieldKind;
}

/** The note of a request: text, the fields that it asks for, or both. */
export interface Note {
  readonly text: string | undefined;
  /** Empty for a request without a form. */
  readonly fields: readonly FormField[];
}

/** A field that was handed in. */
export interface FilledField {
  readonly name: string;
  readonly value: string;
}

export const MAX_FIELDS = 20;
/** In code points. */
const MAX_FIELD_NAME_LENGTH = 64;
/** In UTF-16 code units. */
export const MAX_VALUE_LENGTH = 64 * 1024;

/** The fields of common requests, by the name of the template. */
export const FORM_TEMPLATES = {
  login: [
    { name: "user", kind: "text" },
    { name: "password", kind: "password" },
  ],
  database: [
    { name: "host", kind: "text" },
    { name: "port", kind: "text" },
    { name: "database", kind: "text" },
    { name: "user", kind: "text" },
    { name: "password", kind: "password" },
  ],
  "ssh-key": [{ name: "key", kind: "multiline" }],
  "api-token": [{ name: "token", kind: "password" }],
} as const satisfies Readonly<Record<string, readonly FormField[]>>;

/** Fields or values that can't be a form; the message is for people, and has no value. */
export class FormError extends UserError {
  override readonly name = "FormError";

  constructor(message: string) {
    super("usage", message, { code: "bad_form" });
  }
}

const FIELDS_START = "handoff fields 1\n";
/** More than any form that is filled in: each line of a value has three characters around it at most. */
const MAX_FILLED_LENGTH = MAX_FIELDS * MAX_VALUE_LENGTH * 4;
const INDENT = "  ";
// Tabs and line breaks are the only control characters that people mean to send.
const CONTROL = /(?![\t\n\r])[\p{Cc}\p{Cs}]/u;
const ALPHABETS = [/\p{sc=Latin}/u, /\p{sc=Greek}/u, /\p{sc=Cyrillic}/u];
const HIDDEN_NAME = /pass|secret|token|key|^pin$/i;

/**
 * True for the name of a field: 1 to 64 printable characters in NFC with a letter or digit among them, no `:`, no `=`,
 * no white space but spaces inside, and no word of two alphabets.
 */
export function isFieldName(name: string): boolean {
  // Every code point has two units at most. Longer text isn't looked at.
  if (name.length > 2 * MAX_FIELD_NAME_LENGTH || Array.from(name).length > MAX_FIELD_NAME_LENGTH) return false;
  if (/[:=]|(?! )\s/.test(name) || !/[\p{L}\p{N}]/u.test(name) || name.trim() !== name) return false;
  if (isDeceiving(name) || mixesAlphabets(name)) return false;
  return replaceUnseen(name, "") === name && name.normalize("NFC") === name;
}

/** True when a word of a name has letters of two alphabets that look alike, and so could pass for another word. */
export function mixesAlphabets(name: string): boolean {
  const words = name.split(/[^\p{L}\p{M}\p{N}]/u);
  return words.some((word) => ALPHABETS.filter((alphabet) => alphabet.test(word)).length > 1);
}

/** The kind of a field that was given none: `password` for names such as password, token and key, else `text`. */
function usualKindOf(name: string): FieldKind {
  return HIDDEN_NAME.test(name) ? "password" : "text";
}

/** Reads `NAME` or `NAME:KIND`. Throws FormError. */
export function parseField(text: string): FormField {
  const colon = text.indexOf(":");
  // Longer text is no name, and composing it is slow.
  const name = text
    .slice(0, Math.min(colon === -1 ? text.length : colon, 4 * MAX_FIELD_NAME_LENGTH))
    .normalize("NFC")
    .trim();
  const given = colon === -1 ? usualKindOf(name) : text.slice(colon + 1);
  const kind = FIELD_KINDS.find((each) => each === given);
  if (kind === undefined) throw new FormError(`A field has one of these kinds: ${FIELD_KINDS.join(", ")}.`);
  checkForm([{ name, kind }]);
  return { name, kind };
}

/** The field with this name, however its letters are cased. */
export function findField<Field extends { readonly name: string }>(
  fields: readonly Field[],
  name: string,
): Field | undefined {
  return fields.find((each) => isSameName(each.name, name));
}

/** True when people could take one name for the other. A form has only one of them. */
export function isSameName(one: string, other: string): boolean {
  return foldName(one) === foldName(other);
}

/** Longer text is no name, and composing it is slow. */
function foldName(name: string): string {
  return name
    .slice(0, 2 * MAX_FIELD_NAME_LENGTH + 1)
    .normalize("NFKC")
    .toLowerCase();
}

function areNames(names: readonly string[]): boolean {
  return names.length <= MAX_FIELDS && names.every(isFieldName) && new Set(names.map(foldName)).size === names.length;
}

/** Throws FormError for fields that can't be asked for together. */
export function checkForm(fields: readonly FormField[]): void {
  if (fields.length > MAX_FIELDS) throw new FormError(`A form has ${MAX_FIELDS} fields at most.`);
  if (!fields.every(({ name }) => isFieldName(name))) {
    if (fields.some(({ name }) => mixesAlphabets(name))) {
      throw new FormError("A word of a field's name mixes letters of two alphabets, such as Latin and Cyrillic.");
    }
    throw new FormError(
      `A field's name has 1 to ${MAX_FIELD_NAME_LENGTH} printable characters, without ':' and '=', and no space at either end.`,
    );
  }
  if (!areNames(fields.map(({ name }) => name))) throw new FormError("Two fields of a form have the same name.");
}

/**
 * Writes a note as it is encrypted, contract section 10. Text alone stays as it is, unless it begins like a form.
 * Throws FormError.
 */
export function encodeNote({ text, fields }: Note): string {
  checkForm(fields);
  if (fields.length === 0 && !text?.startsWith(FORM_START)) return text ?? "";
  const lines = fields.map(({ name, kind }) => `${name}: ${kind}\n`);
  return `${FORM_START}${lines.join("")}${text === undefined ? "" : `\n${text}`}`;
}

/** Reads a decrypted note. What isn't exactly a form is text. */
export function decodeNote(plaintext: string): Note {
  return findForm(plaintext) ?? { text: plaintext, fields: [] };
}

function findForm(plaintext: string): Note | undefined {
  if (!plaintext.startsWith(FORM_START)) return undefined;
  const fields: FormField[] = [];
  let at = FORM_START.length;
  while (at < plaintext.length) {
    if (plaintext[at] === "\n") return toNote(plaintext.slice(at + 1), fields);
    const end = plaintext.indexOf("\n", at);
    const line = end === -1 ? undefined : plaintext.slice(at, end);
    const [, name, kindName] = /^([^:]+): ([a-z]+)$/.exec(line ?? "") ?? [];
    const kind = FIELD_KINDS.find((each) => each === kindName);
    if (name === undefined || kind === undefined || fields.length === MAX_FIELDS) return undefined;
    fields.push({ name, kind });
    at = end + 1;
  }
  return fields.length === 0 ? undefined : toNote(undefined, fields);
}

function toNote(text: string | undefined, fields: readonly FormField[]): Note | undefined {
  return areNames(fields.map(({ name }) => name)) ? { text, fields } : undefined;
}

/** What is wrong with a value: nothing in it, too long, a second line, or a control character. */
export type ValueProblem = "missing" | "too_long" | "several_lines" | "control_character";

/** The first problem of what was typed into a field; undefined for none. */
export function problemOfValue({ kind }: FormField, value: string): ValueProblem | undefined {
  if (isMissing(value)) return "missing";
  if (value.length > MAX_VALUE_LENGTH) return "too_long";
  if (kind !== "multiline" && /[\r\n]/.test(value)) return "several_lines";
  return CONTROL.test(value) ? "control_character" : undefined;
}

const PROBLEMS: Readonly<Record<Exclude<ValueProblem, "missing">, string>> = {
  too_long: `has more than ${MAX_VALUE_LENGTH} characters`,
  several_lines: "takes one line only",
  control_character: "has a control character",
};

/**
 * Fills in a form: values by the exact names of its fields, every one of them. Returns the text that is encrypted.
 * Throws FormError, which names fields and no values.
 */
export function fillForm(form: readonly FormField[], values: Readonly<Record<string, string>>): string {
  const unknown = Object.keys(values).filter((name) => !form.some((field) => field.name === name));
  if (unknown.length > 0) {
    throw new FormError(`The form has ${form.length === 0 ? "no fields" : `only these fields: ${namesOf(form)}`}.`);
  }
  const filled = form.map((field) => ({ field, value: Object.hasOwn(values, field.name) ? values[field.name] : "" }));
  const missing = filled.filter(({ field, value = "" }) => problemOfValue(field, value) === "missing");
  if (missing.length > 0) {
    throw new FormError(`Missing: ${namesOf(missing.map(({ field }) => field))}. Nothing was handed in.`);
  }
  for (const { field, value = "" } of filled) {
    const problem = problemOfValue(field, value);
    if (problem !== undefined && problem !== "missing") {
      throw new FormError(`'${field.name}' ${PROBLEMS[problem]}. Nothing was handed in.`);
    }
  }
  return encodeFields(filled.map(({ field: { name }, value = "" }) => ({ name, value })));
}

/** The names of fields, for a sentence. */
export function namesOf(fields: readonly { readonly name: string }[]): string {
  return fields.map(({ name }) => `'${name}'`).join(", ");
}

/** Writes fields as they are encrypted, contract section 10. Throws FormError for what `decodeFields` refuses. */
export function encodeFields(fields: readonly FilledField[]): string {
  if (fields.length === 0 || !areNames(fields.map(({ name }) => name)) || !fields.every(hasFitValue)) {
    throw new FormError("These fields can't be handed in: a name or a value isn't one.");
  }
  return `${FIELDS_START}${formatFields(fields)}`;
}

/** The fields as lines for people and scripts: `NAME: VALUE`, or the lines of the value, indented, after `NAME:`. */
export function formatFields(fields: readonly FilledField[]): string {
  return fields.map(({ name, value }) => `${name}:${formatValue(value)}\n`).join("");
}

function formatValue(value: string): string {
  return /[\r\n]/.test(value) ? `\n${INDENT}${value.replaceAll("\n", `\n${INDENT}`)}` : ` ${value}`;
}

function hasFitValue({ value }: FilledField): boolean {
  return value.length <= MAX_VALUE_LENGTH && !CONTROL.test(value);
}

/**
 * Reads what was handed in to a form. It comes from a stranger: the names may be others than those asked for. Undefined
 * for anything but fields, also for duplicate names and control characters.
 */
export function decodeFields(text: string): readonly FilledField[] | undefined {
  if (!text.startsWith(FIELDS_START) || text.length > MAX_FILLED_LENGTH) return undefined;
  const lines = text.slice(FIELDS_START.length).split("\n");
  if (lines.at(-1) === "") lines.pop();
  const filled: { readonly name: string; readonly lines: string[] }[] = [];
  let block: string[] | undefined;
  for (const line of lines) {
    if (line.startsWith(INDENT)) {
      if (!block) return undefined;
      block.push(line.slice(INDENT.length));
      continue;
    }
    const colon = line.indexOf(":");
    const [name, rest] = [line.slice(0, colon), line.slice(colon + 1)];
    if (colon === -1 || filled.length === MAX_FIELDS) return undefined;
    block = rest === "" ? [] : undefined;
    // A value with a carriage return is a block, so that a file with Windows line ends isn't taken for fields.
    if (!block && (!rest.startsWith(" ") || rest.includes("\r"))) return undefined;
    filled.push({ name, lines: block ?? [rest.slice(1)] });
  }
  if (filled.length === 0 || filled.some((each) => each.lines.length === 0)) return undefined;
  const fields = filled.map((each) => ({ name: each.name, value: each.lines.join("\n") }));
  return areNames(fields.map(({ name }) => name)) && fields.every(hasFitValue) ? fields : undefined;
}

function isMissing(value: string): boolean {
  return !/[^\r\n]/.test(value);
}
