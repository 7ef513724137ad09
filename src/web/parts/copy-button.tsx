import { useEffect, useState } from "preact/hooks";
import { STRINGS } from "../strings.ts";

const COPIED_MS = 2000;

/** Copies `text`; where a browser does not let a page do that, it is selected, so that the reader can. */
export function CopyButton({
  text,
  onCopied,
}: {
  readonly text: string;
  readonly onCopied?: (() => void) | undefined;
}) {
  const [isCopied, setCopied] = useState(false);
  const [isRefused, setRefused] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const tellCopied = () => {
    setCopied(true);
    onCopied?.();
  };
  const copy = async (button: HTMLElement) => {
    setRefused(false);
    try {
      await navigator.clipboard.writeText(text);
      tellCopied();
    } catch {
      // The browser lets no page write to the clipboard: what is selected can be copied by hand.
      selectSecret(button);
      setRefused(true);
    }
  };
  return (
    <>
      <button type="button" onClick={(event) => void copy(event.currentTarget)}>
        <span aria-live="polite">{isCopied ? STRINGS.copied : STRINGS.copy}</span>
      </button>
      <span role="status">{isRefused ? STRINGS.notCopied : ""}</span>
    </>
  );
}

/** Selects the secret beside the buttons that `button` is one of. */
function selectSecret(button: HTMLElement): void {
  const secret = button.parentElement?.parentElement?.querySelector(".secret");
  if (secret) getSelection()?.selectAllChildren(secret);
}
