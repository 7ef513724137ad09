import type { Content } from "../../crypto/contents.ts";
import { fillForm, findField, MAX_VALUE_LENGTH, namesOf, problemOfValue } from "../../crypto/forms.ts";
import type { FormField } from "../../crypto/forms.ts";
import { usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { readTextFile } from "./text-files.ts";

/** The number of prompts for one field. */
const ATTEMPTS = 3;

/** A string of a JSON document that was parsed. */
const STRING = /"(?:[^"\\]|\\.)*"/g;

type Values = Map<FormField, string>;

/**
 * Reads the values of a form: those of `fieldFiles` (`NAME=FILE`) from files, and the others from a JSON object on
 * standard input, or from a prompt each. Throws CommandError and FormError, which name fields and no values.
 */
export async function readForm(
  terminal: Terminal,
  form: readonly FormField[],
  source: {
    readonly fieldFiles: readonly string[];
    /** True when something else has been read from standard input. */
    readonly isInputTaken: boolean;
  },
): Promise<Content> {
  const values: Values = new Map();
  for (const each of source.fieldFiles) await readFieldFile(terminal, form, each, values);
  const isAsked = terminal.isTerminal.in || source.isInputTaken;
  if (values.size < form.length && !isAsked) readJson(form, await terminal.readAll(), values);
  for (const field of form) {
    if (values.has(field) || !isAsked) continue;
    const value = await askFor(terminal, field);
    if (value === undefined) break;
    values.set(field, value);
  }
  const filled = Object.fromEntries([...values].map(([{ name }, value]) => [name, value]));
  return { kind: "text", text: fillForm(form, filled) };
}

async function readFieldFile(
  terminal: Terminal,
  form: readonly FormField[],
  text: string,
  values: Values,
): Promise<void> {
  const equals = text.indexOf("=");
  if (equals < 1) throw usageError("--field-file: expected NAME=FILE");
  const name = text.slice(0, equals);
  const content = await readTextFile(terminal, text.slice(equals + 1), "--field-file");
  const isBlock = findField(form, name)?.kind === "multiline";
  put(form, values, name, isBlock ? content : content.replace(/\r?\n$/, ""));
}

function readJson(form: readonly FormField[], bytes: Uint8Array, values: Values): void {
  const expected = usageError(
    `The request asks for fields. Standard input must be a JSON object with a text for each of: ${namesOf(form)}.`,
  );
  let text: string;
  let given: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    given = JSON.parse(text);
  } catch {
    // The reason would quote the input.
    throw expected;
  }
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw expected;
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== "string") throw expected;
    put(form, values, name, value);
  }
  // JSON.parse keeps the last of two members of the same name. Each member is two strings here.
  if (text.match(STRING)?.length !== 2 * Object.keys(given).length) {
    throw usageError("The JSON object on standard input has a name twice.");
  }
}

function put(form: readonly FormField[], values: Values, name: string, value: string): void {
  const field = findField(form, name);
  // The name isn't repeated: it may be a value in the wrong place.
  if (!field) throw usageError(`The request asks only for these fields: ${namesOf(form)}.`);
  if (values.has(field)) throw usageError(`The value of '${field.name}' is given twice.`);
  values.set(field, value);
}

/** Asks for a value, of several lines by the name of a file. Undefined without a terminal. */
async function askFor(terminal: Terminal, field: FormField): Promise<string | undefined> {
  const question = {
    text: `${field.name}: `,
    password: `${field.name} (not shown): `,
    multiline: `${field.name} (path of a file): `,
  }[field.kind];
  for (let attempt = 1; ; attempt++) {
    const answer = await terminal.ask(question, { hidden: field.kind === "password" });
    if (answer === undefined) return undefined;
    const value = field.kind === "multiline" && answer !== "" ? await readTextFile(terminal, answer) : answer;
    const problem = problemOfValue(field, value);
    if (problem === undefined || attempt === ATTEMPTS) return value;
    terminal.say(
      {
        missing: "This is needed.",
        too_long: `This has more than ${MAX_VALUE_LENGTH} characters.`,
        several_lines: "This takes one line only.",
        control_character: "This has a control character.",
      }[problem],
    );
  }
}
