import { useId, useState } from "preact/hooks";
import { MAX_LABEL_LENGTH } from "../browser/labels.ts";
import { SENDING } from "../texts/sending.ts";

const { sent: words } = SENDING;

/** Asks for the sender's own name of a secret, which is never sent. `onSaved` may be called again and again. */
export function LabelField(props: { readonly label: string; readonly onSaved: (label: string) => void }) {
  const { label, onSaved } = props;
  const [typed, setTyped] = useState(label);
  const id = useId();
  const isSaved = typed.trim() === label;
  return (
    <form
      class="field"
      onSubmit={(event) => {
        event.preventDefault();
        onSaved(typed.trim());
      }}
    >
      <label class="label" for={id}>
        {words.name} <span class="quiet">{words.nameHint}</span>
      </label>
      <div class="named">
        <input
          id={id}
          class="input"
          dir="auto"
          autocomplete="off"
          maxLength={MAX_LABEL_LENGTH}
          placeholder={words.nameExample}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <button type="submit" class="button" aria-disabled={isSaved}>
          <span aria-live="polite">{isSaved && label !== "" ? words.nameSaved : words.saveName}</span>
        </button>
      </div>
    </form>
  );
}
