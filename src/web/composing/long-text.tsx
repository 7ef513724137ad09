import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Icon } from "../frame/icon.tsx";
import { formatSize } from "../parts/formats.ts";
import { IconButton } from "../parts/icon-button.tsx";
import { PAGE } from "../texts/page.ts";
import { SUBMITTING } from "../texts/submitting.ts";
import { textBytesOf } from "./drafts.ts";

const { content: words } = SUBMITTING;
/** Browsers lay out the whole field on each key. Beyond this length that takes seconds, and for megabytes minutes. */
const MAX_IN_FIELD = 65_536;
/** A smaller change is typing, during which the field must not disappear. */
const MIN_PASTED = 1000;

/** A text that is too long for a field. The page shows its size instead. */
export interface LongText {
  readonly isHeld: boolean;
  /** Replaces the field when a long text arrives at once. Returns false when the field stays. */
  readonly hold: (text: string, addedLength: number) => boolean;
}

/**
 * Keeps long texts out of `field`, where they would block the page. When a pasted or dropped text makes the content too
 * long, the whole content goes to `onText` instead.
 */
export function useLongText(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  onText: (text: string) => void,
): LongText {
  const [isWanted, setWanted] = useState(text.length > MAX_IN_FIELD);
  const latest = useRef(onText);
  latest.current = onText;
  const isHeld = isWanted && text.length > MAX_IN_FIELD;
  const hold = (next: string, addedLength: number) => {
    const isLong = addedLength >= MIN_PASTED && next.length > MAX_IN_FIELD;
    if (isLong) setWanted(true);
    return isLong;
  };
  useEffect(() => {
    const { current: shown } = field;
    if (isHeld || !shown) return undefined;
    const controller = new AbortController();
    const take = (event: InputEvent) => {
      const added = (event.data ?? event.dataTransfer?.getData("text/plain") ?? "").replaceAll(/\r\n?/g, "\n");
      const { value, selectionStart, selectionEnd } = shown;
      const next = `${value.slice(0, selectionStart)}${added}${value.slice(selectionEnd)}`;
      if (shown.readOnly || !hold(next, added.length)) return;
      event.preventDefault();
      latest.current(next);
    };
    shown.addEventListener("beforeinput", take, { signal: controller.signal });
    return () => controller.abort();
  }, [isHeld]);
  return { isHeld, hold };
}

/** A text too long for a field, with a button that removes it. */
export function LongTextRow(props: {
  readonly text: string;
  readonly isBusy: boolean;
  readonly label: string;
  readonly onRemove: () => void;
}) {
  const { text, isBusy, label, onRemove } = props;
  const row = useRef<HTMLUListElement>(null);
  // The field that had the keyboard focus is gone.
  useEffect(() => {
    if (document.activeElement === document.body) row.current?.focus();
  }, []);
  const remove = words.remove(PAGE.text);
  return (
    <ul ref={row} class="files" tabIndex={-1} aria-label={label}>
      <TextRow text={text} hint={words.longText}>
        <IconButton icon="close" label={remove} aria-disabled={isBusy} onClick={() => isBusy || onRemove()} />
      </TextRow>
    </ul>
  );
}

/** A text, shown by its number of lines and its size. */
export function TextRow(props: {
  readonly text: string;
  readonly hint?: string;
  readonly children?: ComponentChildren;
}) {
  const { text, hint, children } = props;
  const meta = useMemo(() => `${words.lines(countLines(text))} · ${formatSize(textBytesOf(text))}`, [text]);
  return (
    <li class="file">
      <Icon name="text" />
      <span>
        <span class="file-name">{PAGE.text}</span>
        <span class="file-meta">{meta}</span>
        {hint !== undefined && (
          <span class="file-meta" role="status">
            {hint}
          </span>
        )}
      </span>
      <span class="file-tools">{children}</span>
    </li>
  );
}

/** The number of lines, counted without a list of them: there may be hundreds of thousands. */
function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
