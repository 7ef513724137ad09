import { useState } from "preact/hooks";
import { askFirst } from "../frame/dialogs.tsx";
import type { Question } from "../frame/dialogs.tsx";
import { STRINGS } from "../strings.ts";
import { describeSessionFailure } from "./failures.ts";

const { list } = STRINGS;

/** Takes something back, after asking once more: it cannot be undone. */
export function RevokeButton(props: {
  readonly label: string;
  readonly question: Question;
  readonly onRevoke: () => Promise<void>;
}) {
  const { label, question, onRevoke } = props;
  const [complaint, setComplaint] = useState("");
  const revoke = async (button: HTMLElement) => {
    const row = button.closest("li");
    if (!(await askFirst({ ...question, isDangerous: true }))) return;
    setComplaint("");
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
      <button type="button" class="button" aria-label={label} onClick={(event) => void revoke(event.currentTarget)}>
        {list.revoke}
      </button>
      <span role="alert" class="wrong">
        {complaint}
      </span>
    </span>
  );
}
