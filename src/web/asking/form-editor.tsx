import { useId } from "preact/hooks";
import {
  FIELD_KINDS,
  FORM_TEMPLATES,
  isFieldName,
  isSameName,
  MAX_FIELDS,
  mixesAlphabets,
} from "../../crypto/forms.ts";
import type { FormField } from "../../crypto/forms.ts";
import { Icon } from "../frame/icon.tsx";
import type { IconName } from "../frame/icon.tsx";
import { Complaint } from "../parts/complaint.tsx";
import { IconButton } from "../parts/icon-button.tsx";
import { SENDING } from "../texts/sending.ts";

const { form: words } = SENDING.ask;

/** A form of one's own choice: free text, a template, or fields typed by hand. */
type Template = "free" | keyof typeof FORM_TEMPLATES | "own";

const TEMPLATES: readonly (readonly [Template, IconName])[] = [
  ["free", "text"],
  ["login", "lock"],
  ["database", "files"],
  ["ssh-key", "key"],
  ["api-token", "link"],
  ["own", "plus"],
];

/** A form that is being put together. */
export interface FormDraft {
  readonly template: Template;
  readonly fields: readonly FormField[];
}

export const NO_FORM: FormDraft = { template: "free", fields: [] };

/** The fields of a template, named in the language of the page. */
function fieldsOf(template: Template): readonly FormField[] {
  if (template === "free") return [];
  if (template === "own") return [{ name: "", kind: "text" }];
  return FORM_TEMPLATES[template].map(({ name, kind }) => ({ name: words.names[name], kind }));
}

/** The complaint about the name of the field at `index`; empty when there is none. */
export function complaintAboutName(fields: readonly FormField[], index: number): string {
  const name = fields[index]?.name.trim() ?? "";
  if (name === "") return words.nameless;
  const composed = name.normalize("NFC");
  if (mixesAlphabets(composed)) return words.mixedName;
  if (!isFieldName(composed)) return words.badName;
  return fields.slice(0, index).some((each) => isSameName(each.name.trim(), name)) ? words.sameName : "";
}

/** Chooses a template, and edits its fields. */
export function FormEditor(props: {
  readonly draft: FormDraft;
  readonly isBusy: boolean;
  /** True once the fields were checked, so that complaints are shown. */
  readonly isChecked: boolean;
  readonly onChange: (draft: FormDraft) => void;
}) {
  const { draft, isBusy, isChecked, onChange } = props;
  const { template, fields } = draft;
  const id = useId();
  const setField = (index: number, field: FormField) => onChange({ template, fields: fields.with(index, field) });
  return (
    <>
      <fieldset class="field">
        <legend class="label choices-title">{words.title}</legend>
        <div class="templates">
          {TEMPLATES.map(([each, icon]) => (
            <label key={each} class="choice">
              <input
                type="radio"
                name={id}
                checked={each === template}
                disabled={isBusy}
                onChange={() => onChange({ template: each, fields: fieldsOf(each) })}
              />
              <span>
                <Icon name={icon} />
                {words.templates[each]}
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      {fields.length > 0 && (
        <div class="field" role="group" aria-label={words.fields}>
          <ol class="fields">
            {fields.map((field, index) => (
              <FieldRow
                key={index}
                field={field}
                position={index + 1}
                isBusy={isBusy}
                complaint={isChecked ? complaintAboutName(fields, index) : ""}
                onChange={(changed) => setField(index, changed)}
                onRemove={
                  fields.length > 1 ? () => onChange({ template, fields: fields.toSpliced(index, 1) }) : undefined
                }
              />
            ))}
          </ol>
          {fields.length < MAX_FIELDS && (
            <button
              type="button"
              class="button tool"
              aria-disabled={isBusy}
              onClick={() => onChange({ template, fields: [...fields, { name: "", kind: "text" }] })}
            >
              <Icon name="plus" />
              {words.add}
            </button>
          )}
        </div>
      )}
    </>
  );
}

function FieldRow(props: {
  readonly field: FormField;
  /** Counts from 1. */
  readonly position: number;
  readonly isBusy: boolean;
  readonly complaint: string;
  readonly onChange: (field: FormField) => void;
  /** Undefined for the only field. */
  readonly onRemove: (() => void) | undefined;
}) {
  const { field, position, isBusy, complaint, onChange, onRemove } = props;
  const id = useId();
  return (
    <li>
      <input
        class="input"
        dir="auto"
        autocomplete="off"
        maxLength={64}
        readOnly={isBusy}
        aria-label={words.name(position)}
        placeholder={words.namePlaceholder}
        value={field.name}
        aria-invalid={complaint !== ""}
        aria-describedby={id}
        onInput={(event) => onChange({ ...field, name: event.currentTarget.value })}
      />
      <select
        class="input"
        aria-label={words.kind(position)}
        disabled={isBusy}
        value={field.kind}
        onChange={(event) => {
          const kind = FIELD_KINDS.find((each) => each === event.currentTarget.value);
          if (kind) onChange({ ...field, kind });
        }}
      >
        {FIELD_KINDS.map((each) => (
          <option key={each} value={each}>
            {words.kinds[each]}
          </option>
        ))}
      </select>
      {onRemove ? <IconButton icon="close" label={words.remove(position)} onClick={onRemove} /> : <span />}
      <Complaint id={id} text={complaint} />
    </li>
  );
}
