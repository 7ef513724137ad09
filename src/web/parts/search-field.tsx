import { useId } from "preact/hooks";
import { Icon } from "../frame/icon.tsx";

/** A field to search with; `text` says what is searched. */
export function SearchField(props: {
  readonly text: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}) {
  const { text, value, onInput } = props;
  const id = useId();
  return (
    <div class="search">
      <label class="unseen" for={id}>
        {text}
      </label>
      <Icon name="search" />
      <input
        id={id}
        class="input"
        type="search"
        dir={value === "" ? undefined : "auto"}
        autocomplete="off"
        placeholder={text}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}
