import { useState } from "preact/hooks";
import { describeSessionFailure } from "./failures.ts";
import { STRINGS } from "./strings.ts";

const { list } = STRINGS;

/** Takes something back, after asking once more: it cannot be undone. */
export function RevokeButton({ label, onRevoke }: { readonly label: string; readonly onRevoke: () => Promise<void> }) {
  const [complaint, setComplaint] = useState("");
  const revoke = async () => {
    if (!confirm(list.sure(label))) return;
    setComplaint("");
    await onRevoke().catch((error: unknown) => setComplaint(describeSessionFailure(error).text));
  };
  return (
    <span>
      <button type="button" class="plain" aria-label={label} onClick={() => void revoke()}>
        {list.revoke}
      </button>
      <span role="alert" class="complaint">
        {complaint}
      </span>
    </span>
  );
}
