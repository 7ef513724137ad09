import { useState } from "preact/hooks";
import { describeSessionFailure } from "./failures.ts";
import { STRINGS } from "./strings.ts";

const { list } = STRINGS;

/** Takes something back, after asking once more: it cannot be undone. */
export function RevokeButton({ label, onRevoke }: { readonly label: string; readonly onRevoke: () => Promise<void> }) {
  const [complaint, setComplaint] = useState("");
  const revoke = async (button: HTMLElement) => {
    if (!confirm(list.sure(label))) return;
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
    <span class="action">
      <button type="button" class="plain" aria-label={label} onClick={(event) => void revoke(event.currentTarget)}>
        {list.revoke}
      </button>
      <span role="alert" class="complaint">
        {complaint}
      </span>
    </span>
  );
}
