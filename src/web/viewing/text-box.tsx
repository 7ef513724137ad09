import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { findNamedLines } from "../contents/lines.ts";
import { Icon } from "../frame/icon.tsx";
import { CopyButton, selectAllOf } from "../parts/copy-button.tsx";
import { OPENING } from "../texts/opening.ts";
import { PAGE } from "../texts/page.ts";
import { download } from "./downloads.ts";
import { NamedLines } from "./named-lines.tsx";
import { usePrinting } from "./printing.ts";
import { countLines, hasRigidLines, isLongText, shownPart, startsHidden, withoutLastLineEnd } from "./texts.ts";

const { opened } = OPENING;
const DOTS = "•".repeat(12);

/** A text to read, copy and save. `onTaken` is called once its important parts were saved or copied. */
export function TextBox({ text, onTaken }: { readonly text: string; readonly onTaken: () => void }) {
  const lines = findNamedLines(text);
  const [isShown, setShown] = useState(lines !== undefined || !startsHidden(text));
  // Counts the requests to select the whole text. It is selected once it is visible.
  const [selections, setSelections] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const isPrinting = usePrinting();
  useLayoutEffect(() => {
    if (selections > 0) selectAllOf(box.current?.querySelector(".secret-text, .lines") ?? null);
  }, [selections]);
  const revealAndSelect = () => {
    setShown(true);
    setSelections(selections + 1);
  };
  const save = () => {
    download(opened.textFile, new TextEncoder().encode(text));
    onTaken();
  };
  return (
    <>
      <div ref={box} class="secret" translate={false}>
        {lines ? (
          <NamedLines lines={lines} areAllShown={isPrinting || selections > 0} onTaken={onTaken} />
        ) : (
          <Whole text={text} isShown={isShown} isPrinting={isPrinting} onShow={setShown} onCopied={onTaken} />
        )}
      </div>
      {isLongText(text) && <p class="quiet">{opened.longText}</p>}
      <div class="buttons">
        <CopyButton
          text={withoutLastLineEnd(text)}
          label={lines ? opened.copyAll : PAGE.copy}
          class="button primary wide-on-phone"
          onCopied={onTaken}
          onRefused={revealAndSelect}
        />
        <button type="button" class="button" onClick={save}>
          <Icon name="download" />
          {opened.save}
        </button>
      </div>
    </>
  );
}

/** The text in one piece. Copying a part by hand counts as taking it. */
function Whole(props: {
  readonly text: string;
  readonly isShown: boolean;
  readonly isPrinting: boolean;
  readonly onShow: (isShown: boolean) => void;
  readonly onCopied: () => void;
}) {
  const { text, isShown, isPrinting, onShow, onCopied } = props;
  const shown = useRef<HTMLPreElement>(null);
  const height = useRef(0);
  const toggle = () => {
    // Keeps the content below from moving.
    height.current = shown.current?.offsetHeight ?? height.current;
    onShow(!isShown);
  };
  const hold = (hidden: HTMLElement | null) => {
    if (hidden && height.current > 0) hidden.style.minBlockSize = `${height.current}px`;
  };
  return (
    <>
      <div class="secret-bar">
        <span>{opened.lines(countLines(text))}</span>
        <button type="button" class="button tool" onClick={toggle}>
          <Icon name={isShown ? "eye-off" : "eye"} />
          {isShown ? opened.hide : opened.show}
        </button>
      </div>
      {isShown || isPrinting ? (
        <pre
          ref={shown}
          class={hasRigidLines(text) ? "secret-text is-rigid" : "secret-text"}
          dir="auto"
          tabIndex={0}
          role="group"
          aria-label={PAGE.theText}
          onCopy={onCopied}
        >
          {isPrinting ? text : shownPart(text)}
        </pre>
      ) : (
        <p ref={hold} class="secret-text is-hidden" tabIndex={0} role="group" aria-label={opened.theTextIsHidden}>
          <span aria-hidden="true">{DOTS}</span>
        </p>
      )}
    </>
  );
}
