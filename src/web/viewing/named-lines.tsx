import { useRef, useState } from "preact/hooks";
import type { NamedLine } from "../contents/lines.ts";
import { Icon } from "../frame/icon.tsx";
import { CopyButton, CopyRefusal, useCopying, useSelection } from "../parts/copy-button.tsx";
import { IconButton } from "../parts/icon-button.tsx";
import { OPENING } from "../texts/opening.ts";
import { ExactText } from "./exact-text.tsx";
import { usePrinting } from "./printing.ts";
import { Veil } from "./veil.tsx";

const { opened } = OPENING;

/**
 * Names and values, each with a copy button; secret values are hidden at first. `whole` is the text that they are from.
 * `onTaken` is called once all secret values were copied, or all values when none is secret.
 */
export function NamedLines(props: {
  readonly lines: readonly NamedLine[];
  readonly whole: string;
  /** True for the fields of a form. */
  readonly isForm: boolean;
  readonly onTaken: () => void;
}) {
  const { lines, whole, isForm, onTaken } = props;
  const secret = [...lines.keys()].filter((index) => lines[index]?.isSecret);
  const [shown, setShown] = useState<ReadonlySet<number>>(new Set());
  const taken = useRef(new Set<number>());
  const list = useRef<HTMLUListElement>(null);
  const isPrinting = usePrinting();
  const isEachShown = secret.every((index) => shown.has(index));
  const select = useSelection(() => list.current);
  const revealAndSelect = () => {
    setShown(new Set(secret));
    select();
  };
  const show = (index: number, isShown: boolean) => {
    const rest = [...shown].filter((each) => each !== index);
    setShown(new Set(isShown ? [...rest, index] : rest));
  };
  const take = (index: number) => {
    taken.current.add(index);
    const wanted = secret.length > 0 ? secret : [...lines.keys()];
    if (wanted.every((each) => taken.current.has(each))) onTaken();
  };
  return (
    <div class="secret" translate={false}>
      <div class="secret-bar">
        <span>{(isForm ? opened.fields : opened.lines)(lines.length)}</span>
        <div class="secret-tools">
          {secret.length > 0 && (
            <button type="button" class="button tool" onClick={() => setShown(new Set(isEachShown ? [] : secret))}>
              <Icon name={isEachShown ? "eye-off" : "eye"} />
              {isEachShown ? opened.hideAll : opened.showAll}
            </button>
          )}
          <CopyButton
            text={whole}
            label={opened.copyAll}
            class="button primary"
            onCopied={onTaken}
            onRefused={revealAndSelect}
          />
        </div>
      </div>
      <ul ref={list} class="pairs">
        {lines.map((line, index) => (
          <Line
            key={index}
            line={line}
            isShown={isPrinting || !line.isSecret || shown.has(index)}
            onShow={(isShown) => show(index, isShown)}
            onTaken={() => take(index)}
          />
        ))}
      </ul>
    </div>
  );
}

function Line(props: {
  readonly line: NamedLine;
  readonly isShown: boolean;
  readonly onShow: (isShown: boolean) => void;
  readonly onTaken: () => void;
}) {
  const { line, isShown, onShow, onTaken } = props;
  const { name, value, isSecret } = line;
  const shown = useRef<HTMLElement>(null);
  const select = useSelection(() => shown.current);
  const { isCopied, isRefused, copy } = useCopying({
    text: value,
    onCopied: onTaken,
    onRefused: () => {
      onShow(true);
      select();
    },
  });
  const words = isShown ? opened.hideThis(name) : opened.showThis(name);
  const copyWords = isCopied ? opened.copiedThis(name) : opened.copyThis(name);
  return (
    <li>
      <span class="pair-name" dir="auto">
        <ExactText text={name} />
      </span>
      {isShown ? (
        <bdi ref={shown} class="pair-value" onCopy={onTaken}>
          <ExactText text={value} />
        </bdi>
      ) : (
        <span class="pair-value">
          <Veil length={value.length} />
        </span>
      )}
      <span class="pair-tools">
        {isSecret && <IconButton icon={isShown ? "eye-off" : "eye"} label={words} onClick={() => onShow(!isShown)} />}
        <IconButton icon={isCopied ? "check" : "copy"} label={copyWords} onClick={() => void copy()} />
      </span>
      <span class="unseen" role="status">
        {isCopied ? opened.copiedThis(name) : ""}
      </span>
      <CopyRefusal isRefused={isRefused} />
    </li>
  );
}
