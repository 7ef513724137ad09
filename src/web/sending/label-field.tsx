import { useId } from "preact/hooks";
import { MAX_LABEL_LENGTH } from "../browser/labels.ts";
import { SENDING } from "../texts/sending.ts";

const { send } = SENDING;

/** The field for the sender's own name of a secret, which is never sent. */
export function LabelField(props: {
  readonly label: string;
  readonly isBusy: boolean;
  readonly onChange: (label: string) => void;
}) {
  const { label, isBusy, onChange } = props;
  const id = useId();
  return (
    <div class="field">
      <label class="label" for={id}>
        {send.label}
      </label>
      <input
        id={id}
        class="input"
        dir="auto"
        autocomplete="off"
        maxLength={MAX_LABEL_LENGTH}
        readOnly={isBusy}
        value={label}
        aria-describedby={`${id}-hint`}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <p class="hint" id={`${id}-hint`}>
        {send.labelHint}
      </p>
    </div>
  );
}
