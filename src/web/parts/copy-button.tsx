import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../frame/icon.tsx";
import { PAGE } from "../texts/page.ts";

const COPIED_MS = 2000;

/** The state of a copy button. */
export interface Copying {
  /** True for a moment after a copy. */
  readonly isCopied: boolean;
  /** True when the browser refused to copy. */
  readonly isRefused: boolean;
  readonly copy: () => Promise<void>;
}

/** Copies `text`. When the browser refuses, `onRefused` should select the text, so that the reader can copy it. */
export function useCopying(options: {
  readonly text: string;
  readonly onCopied?: (() => void) | undefined;
  readonly onRefused: () => void;
}): Copying {
  const { text, onCopied, onRefused } = options;
  const [isCopied, setCopied] = useState(false);
  const [isRefused, setRefused] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    setRefused(false);
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      setRefused(true);
      onRefused();
      return;
    }
    setCopied(true);
    onCopied?.();
  };
  return { isCopied, isRefused, copy };
}

/** A button that copies `text`, and shows that it has. */
export function CopyButton(props: {
  readonly text: string;
  readonly label?: string;
  readonly class?: string;
  readonly onCopied?: (() => void) | undefined;
  /** Selects the text. By default it selects the elements marked as a secret or a link on the same card. */
  readonly onRefused?: (() => void) | undefined;
}) {
  const { text, label = PAGE.copy, class: extra = "button", onCopied, onRefused } = props;
  const button = useRef<HTMLButtonElement>(null);
  const { isCopied, isRefused, copy } = useCopying({
    text,
    onCopied,
    onRefused: onRefused ?? (() => selectBeside(button.current)),
  });
  return (
    <>
      <button ref={button} type="button" class={isCopied ? `${extra} is-done` : extra} onClick={() => void copy()}>
        <Icon name={isCopied ? "check" : "copy"} />
        <span aria-live="polite">{isCopied ? PAGE.copied : label}</span>
      </button>
      <CopyRefusal isRefused={isRefused} />
    </>
  );
}

/** The message beside the button after a refused copy. */
export function CopyRefusal({ isRefused }: { readonly isRefused: boolean }) {
  return (
    <span role="status" class="aside">
      {isRefused ? PAGE.notCopied : ""}
    </span>
  );
}

/** Selects the content of `element`. */
export function selectAllOf(element: Element | null): void {
  if (element) getSelection()?.selectAllChildren(element);
}

/**
 * Selects the content of an element that is hidden till now. The returned function is called along with the change that
 * shows the element, and `find` once it is in the document: no frame says that a text is selected before it is.
 */
export function useSelection(find: () => Element | null | undefined): () => void {
  const [isDue, setDue] = useState(false);
  useLayoutEffect(() => {
    if (!isDue) return;
    selectAllOf(find() ?? null);
    setDue(false);
  }, [isDue]);
  return () => setDue(true);
}

function selectBeside(button: Element | null): void {
  selectAllOf(button?.closest("section, form, main")?.querySelector(".secret, .link") ?? null);
}
