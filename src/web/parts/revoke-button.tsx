import { useState } from "preact/hooks";
import { STRINGS } from "../strings.ts";
import { describeSessionFailure } from "./failures.ts";

const { list } = STRINGS;

/** Takes something back, after asking once more: it cannot be undone. */
export function RevokeButton(props: {
  readonly label: string;
  readonly question: string;
  readonly onRevoke: () => Promise<void>;
}) {
  const { label, question, onRevoke } = props;
  const [complaint, setComplaint] = useState("");
  const revoke = async (button: HTMLElement) => {
    if (!confirm(question)) return;
    setComplaint("");
    const row = button.closest("li");
    try {
      await onRevoke();
      // The button is gone, and the keyboard would be nowhere.
      row?.focus();
    } catch (error) {
      setComplaint(describeSessionFailure(error).text);
    }
  };
  return (
    <span>
      <button type="button" class="plain" aria-label={label} onClick={(event) => void revoke(event.currentTarget)}>
        {list.revoke}
      </button>
      <span role="alert" class="complaint">
        {complaint}
      </span>
    </span>
  );
}
