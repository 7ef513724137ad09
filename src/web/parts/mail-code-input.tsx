import type { RefObject } from "preact";

/** The input for the code from a mail. Phones suggest it from the mail. */
export function MailCodeInput(props: {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly id: string;
  readonly value: string;
  readonly isWrong: boolean;
  /** The IDs of what describes it. */
  readonly describedBy: string;
  readonly onInput: (typed: string) => void;
}) {
  const { field, id, value, isWrong, describedBy, onInput } = props;
  return (
    <input
      ref={field}
      id={id}
      class="input mono"
      dir="ltr"
      type="text"
      inputMode="numeric"
      autocomplete="one-time-code"
      spellcheck={false}
      translate={false}
      value={value}
      aria-invalid={isWrong}
      aria-describedby={describedBy}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  );
}
