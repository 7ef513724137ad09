import { useRef, useState } from "preact/hooks";
import { findNamedLines } from "../contents/lines.ts";
import type { NamedLine } from "../contents/lines.ts";
import { CopyButton, useSelection } from "../parts/copy-button.tsx";
import { IconButton } from "../parts/icon-button.tsx";
import { OPENING } from "../texts/opening.ts";
import { PAGE } from "../texts/page.ts";
import { download } from "./downloads.ts";
import { ExactText } from "./exact-text.tsx";
import { NamedLines } from "./named-lines.tsx";
import { usePrinting } from "./printing.ts";
import { countLines, hasRigidLines, isLongText, shownPart, withoutLastLineEnd } from "./texts.ts";
import { Veil } from "./veil.tsx";

const { opened } = OPENING;

/** In characters: a longer line is a text to scroll through. */
const MAX_LINE = 500;

/** A text to read and copy. Several lines can be saved as a file too. */
interface TextBoxProps {
  readonly text: string;
  /** Called once the important parts of the text were saved or copied. */
  readonly onTaken: () => void;
}

/**
 * Shows a text, which is hidden at first: as one line, as names and values, or as a longer text. `fields` are the names
 * and values of a form that was handed in.
 */
export function TextBox(props: TextBoxProps & { readonly fields?: readonly NamedLine[] | undefined }) {
  const { text, fields, onTaken } = props;
  const lines = fields ?? findNamedLines(text);
  if (lines) {
    const whole = fields ? fields.map(({ name, value }) => `${name}: ${value}`).join("\n") : withoutLastLineEnd(text);
    return <NamedLines lines={lines} whole={whole} isForm={fields !== undefined} onTaken={onTaken} />;
  }
  return countLines(text) <= 1 && text.length <= MAX_LINE ? <OneLine {...props} /> : <SeveralLines {...props} />;
}

function OneLine({ text, onTaken }: TextBoxProps) {
  const { box, isVisible, toggle, revealAndSelect } = useHidden();
  return (
    <div ref={box} class="secret secret-one" translate={false}>
      {isVisible ? (
        <TextItself class="secret-value" text={shownPart(withoutLastLineEnd(text))} onTaken={onTaken} />
      ) : (
        <p class="secret-value" tabIndex={0} role="group" aria-label={opened.theTextIsHidden}>
          <Veil length={text.length} />
        </p>
      )}
      <div class="secret-tools">
        <ShowButton isShown={isVisible} onToggle={toggle} />
        <CopyButton
          text={withoutLastLineEnd(text)}
          class="button primary"
          onCopied={onTaken}
          onRefused={revealAndSelect}
        />
      </div>
    </div>
  );
}

function SeveralLines({ text, onTaken }: TextBoxProps) {
  const { box, isVisible, isPrinting, toggle, revealAndSelect } = useHidden();
  const lines = countLines(text);
  const save = () => {
    download(opened.textFile, new TextEncoder().encode(text));
    onTaken();
  };
  return (
    <div ref={box} class="secret" translate={false}>
      <div class="secret-bar">
        <span>{opened.lines(lines)}</span>
        <div class="secret-tools">
          <IconButton icon="download" label={opened.save} onClick={save} />
          <ShowButton isShown={isVisible} onToggle={toggle} />
          <CopyButton
            text={withoutLastLineEnd(text)}
            class="button primary"
            onCopied={onTaken}
            onRefused={revealAndSelect}
          />
        </div>
      </div>
      {isVisible ? (
        <TextItself
          class={hasRigidLines(text) ? "secret-text is-rigid" : "secret-text"}
          text={isPrinting ? text : shownPart(text)}
          onTaken={onTaken}
        />
      ) : (
        <p class="secret-text is-hidden" tabIndex={0} role="group" aria-label={opened.theTextIsHidden}>
          {HIDDEN_LINES.slice(0, lines).map((width, index) => (
            <span key={index} class={`veil ${width}`} aria-hidden="true" />
          ))}
        </p>
      )}
      {isLongText(text) && <p class="secret-note">{opened.longText}</p>}
    </div>
  );
}

/** The widths of the lines that stand for a hidden text, however long its own lines are. */
const HIDDEN_LINES = ["middle", "", "short", "middle"];

function ShowButton({ isShown, onToggle }: { readonly isShown: boolean; readonly onToggle: () => void }) {
  return (
    <IconButton icon={isShown ? "eye-off" : "eye"} label={isShown ? opened.hide : opened.show} onClick={onToggle} />
  );
}

/** The text in one piece. Copying a part by hand counts as taking it. */
function TextItself(props: { readonly class: string; readonly text: string; readonly onTaken: () => void }) {
  const { text, onTaken } = props;
  return (
    <pre class={props.class} dir="auto" tabIndex={0} role="group" aria-label={PAGE.theText} onCopy={onTaken}>
      <ExactText text={text} />
    </pre>
  );
}

/** A value that is hidden at first, and visible in print. */
function useHidden() {
  const [isShown, setShown] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const select = useSelection(() => box.current?.querySelector("pre"));
  const isPrinting = usePrinting();
  return {
    box,
    isPrinting,
    isVisible: isShown || isPrinting,
    toggle: () => setShown(!isShown),
    revealAndSelect: () => {
      setShown(true);
      select();
    },
  };
}
