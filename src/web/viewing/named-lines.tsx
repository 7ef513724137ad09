import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { NamedLine } from "../contents/lines.ts";
import { Icon } from "../frame/icon.tsx";
import { CopyRefusal, selectAllOf, useCopying } from "../parts/copy-button.tsx";
import { IconButton } from "../parts/icon-button.tsx";
import { OPENING } from "../texts/opening.ts";

const { opened } = OPENING;
const DOTS = "•".repeat(12);

/**
 * Lines of names and values, each with a copy button; secret values are hidden at first. `onTaken` is called once all
 * secret values were copied, or all values when none is secret.
 */
export function NamedLines(props: {
  readonly lines: readonly NamedLine[];
  /** True while all values must be visible. */
  readonly areAllShown: boolean;
  readonly onTaken: () => void;
}) {
  const { lines, areAllShown, onTaken } = props;
  const secret = [...lines.keys()].filter((index) => lines[index]?.isSecret);
  const [shown, setShown] = useState<ReadonlySet<number>>(new Set());
  const taken = useRef(new Set<number>());
  const isEachShown = secret.every((index) => shown.has(index));
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
    <>
      <div class="secret-bar">
        <span>{opened.lines(lines.length)}</span>
        {secret.length > 0 && (
          <button type="button" class="button tool" onClick={() => setShown(new Set(isEachShown ? [] : secret))}>
            <Icon name={isEachShown ? "eye-off" : "eye"} />
            {isEachShown ? opened.hideAll : opened.showAll}
          </button>
        )}
      </div>
      <ul class="lines">
        {lines.map((line, index) => (
          <Line
            key={index}
            line={line}
            isShown={areAllShown || !line.isSecret || shown.has(index)}
            onShow={(isShown) => show(index, isShown)}
            onTaken={() => take(index)}
          />
        ))}
      </ul>
    </>
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
  const { isCopied, isRefused, copy } = useCopying({ text: value, onCopied: onTaken, onRefused: () => onShow(true) });
  // Only a visible text can be selected.
  useLayoutEffect(() => {
    if (isRefused) selectAllOf(shown.current);
  }, [isRefused]);
  const words = isShown ? opened.hideThis(name) : opened.showThis(name);
  const copyWords = isCopied ? opened.copiedThis(name) : opened.copyThis(name);
  return (
    <li>
      <span class="line-name" dir="auto">
        {name}
      </span>
      {isShown ? (
        <bdi ref={shown} class="line-value" onCopy={onTaken}>
          {value}
        </bdi>
      ) : (
        <span class="line-value masked">
          <span aria-hidden="true">{DOTS}</span>
          <span class="unseen">{opened.hidden}</span>
        </span>
      )}
      <span class="line-tools">
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
