import { problemOfValue } from "./forms.ts";
import type { FilledField, FormField } from "./forms.ts";

/** How what was handed in differs from the form; all are empty when it doesn't. */
export interface FormDifferences {
  readonly missing: readonly FormField[];
  /** Fields for one line, which were handed in with several. */
  readonly several: readonly FormField[];
  readonly unasked: readonly FilledField[];
}

/** Compares what was handed in with the form that was asked for. */
export function compareToForm(form: readonly FormField[], filled: readonly FilledField[]): FormDifferences {
  const problemOf = (field: FormField) =>
    problemOfValue(field, filled.find(({ name }) => name === field.name)?.value ?? "");
  return {
    missing: form.filter((field) => problemOf(field) === "missing"),
    several: form.filter((field) => problemOf(field) === "several_lines"),
    unasked: filled.filter(({ name }) => !form.some((field) => field.name === name)),
  };
}
