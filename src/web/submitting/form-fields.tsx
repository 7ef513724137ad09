import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { decodeNote, encodeFields, formatFields, MAX_VALUE_LENGTH, problemOfValue } from "../../crypto/forms.ts";
import type { FormField } from "../../crypto/forms.ts";
import { Complaint } from "../parts/complaint.tsx";
import { IconButton } from "../parts/icon-button.tsx";
import { SECRET_ATTRIBUTES } from "../parts/secret-attributes.ts";
import { SUBMITTING } from "../texts/submitting.ts";

const { submit } = SUBMITTING;

/** What was typed into a form, by the names of its fields. */
export type FormValues = Readonly<Record<string, string>>;

/** The props of the fields on the screen. */
interface FieldsProps {
  readonly values: FormValues;
  /** The complaint about each field, by its name; absent when there is none. */
  readonly complaints: FormValues;
  readonly isBusy: boolean;
  readonly onChange: (values: FormValues) => void;
}

/** A form that is asked for, and what the screen needs for it. */
export interface FormOnPage {
  readonly Fields: (props: FieldsProps) => ComponentChildren;
  /** The complaints about values that can't be handed in, by the names of their fields. */
  readonly findProblems: (values: FormValues) => FormValues;
  /** The filled-in form as it is sent; empty while nothing was typed. */
  readonly describe: (values: FormValues) => string;
}

/** Reads the plaintext of a note: its text, and the form in it; undefined when there is none. */
export function readForm(plaintext: string): {
  readonly text: string | undefined;
  readonly form: FormOnPage | undefined;
} {
  const { text, fields } = decodeNote(plaintext);
  if (fields.length === 0) return { text, form: undefined };
  return {
    text,
    form: {
      Fields: (props) => <FormFields form={fields} {...props} />,
      findProblems: (values) => findProblems(fields, values),
      describe: (values) => describeValues(fields, values),
    },
  };
}

/** The fields of a form, each with the keyboard that fits. */
function FormFields(props: FieldsProps & { readonly form: readonly FormField[] }) {
  const { form, values, complaints, isBusy, onChange } = props;
  return (
    <div class="stack-m">
      {form.map((field) => (
        <OneField
          key={field.name}
          field={field}
          value={values[field.name] ?? ""}
          complaint={complaints[field.name] ?? ""}
          isBusy={isBusy}
          onChange={(value) => onChange({ ...values, [field.name]: value })}
        />
      ))}
    </div>
  );
}

/** The complaints about the values that can't be handed in, by the names of their fields. */
function findProblems(form: readonly FormField[], values: FormValues): FormValues {
  return Object.fromEntries(
    form.flatMap((field) => {
      const problem = problemOfValue(field, values[field.name] ?? "");
      return problem === undefined ? [] : [[field.name, submit.wrongValues[problem]]];
    }),
  );
}

/** The filled-in form as it is sent; empty while nothing was typed. */
function describeValues(form: readonly FormField[], values: FormValues): string {
  const filled = form.map(({ name }) => ({ name, value: values[name] ?? "" }));
  if (filled.every(({ value }) => value === "")) return "";
  // What has a problem is kept to be copied, and isn't sent.
  const isFit = form.every((field) => problemOfValue(field, values[field.name] ?? "") !== "control_character");
  return isFit && filled.every(({ value }) => value.length <= MAX_VALUE_LENGTH)
    ? encodeFields(filled)
    : formatFields(filled);
}

function OneField(props: {
  readonly field: FormField;
  readonly value: string;
  readonly complaint: string;
  readonly isBusy: boolean;
  readonly onChange: (value: string) => void;
}) {
  const { field, value, complaint, isBusy, onChange } = props;
  const { name, kind } = field;
  const [isShown, setShown] = useState(false);
  const [isJoined, setJoined] = useState(false);
  const pasted = useRef("");
  const id = useId();
  const common = {
    ...SECRET_ATTRIBUTES,
    id,
    // An empty field is written like the page around it.
    dir: value === "" ? undefined : "auto",
    readOnly: isBusy,
    value,
    "aria-invalid": complaint !== "",
    "aria-describedby": `${id}-wrong`,
    onInput: (event: { readonly currentTarget: { readonly value: string }; readonly inputType?: string }) => {
      // A browser makes one line of several without a word. One line with its end stays one line.
      setJoined(kind !== "multiline" && event.inputType === "insertFromPaste" && /[\r\n]./.test(pasted.current));
      onChange(event.currentTarget.value);
    },
    onPaste: ({ clipboardData }: { readonly clipboardData: DataTransfer | null }) => {
      pasted.current = clipboardData?.getData("text") ?? "";
    },
  } as const;
  return (
    <div class="field">
      <label class="label" for={id} translate={false}>
        <bdi>{name}</bdi>
      </label>
      {kind === "multiline" && <textarea {...common} class="input mono" rows={5} />}
      {kind === "text" && <input {...common} class="input" type="text" inputMode={keyboardFor(name)} />}
      {kind === "password" && (
        <div class="inside">
          <input {...common} {...(isShown ? { type: "text" } : { type: "password" })} class="input mono" />
          <IconButton
            icon={isShown ? "eye-off" : "eye"}
            label={(isShown ? submit.hideField : submit.showField)(name)}
            onClick={() => setShown(!isShown)}
          />
        </div>
      )}
      <Complaint id={`${id}-wrong`} text={complaint || (isJoined ? submit.joined : "")} />
    </div>
  );
}

/** The keyboard of a phone for a field of this name, where the name tells. */
function keyboardFor(name: string): "url" | "email" | "numeric" | "text" {
  if (/\b(ur[il]|link)\b/i.test(name)) return "url";
  if (/e-?mail/i.test(name)) return "email";
  return /\b(port|pin)\b/i.test(name) ? "numeric" : "text";
}
