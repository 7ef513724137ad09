import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** The index to move to from `at`, among `count` choices; undefined for other keys. -1 is the button itself. */
const STEPS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => Math.min(at + 1, count - 1),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, count) => count - 1,
};

/**
 * A button that opens a box of choices below it. It is a disclosure (WAI-ARIA Authoring Practices) and not a `menu`,
 * whose box may hold nothing but choices. Tab, the arrow keys, Home and End move through it. A choice and Escape close
 * it and return the focus to the button. Focusing or pressing anything else closes it too.
 */
export function Menu(props: {
  readonly class: string;
  /** The class of the button. */
  readonly buttonClass?: string;
  /** The accessible name of the button, when its content has no text. */
  readonly label?: string;
  readonly button: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const { class: extra, buttonClass, label, button, children } = props;
  const menu = useRef<HTMLDetailsElement>(null);
  useClosing(menu);
  const step = (event: KeyboardEvent) => {
    const next = STEPS[event.key];
    const choices = choicesOf(menu.current);
    if (!next || !menu.current || (!menu.current.open && event.key !== "ArrowDown")) return;
    event.preventDefault();
    menu.current.open = true;
    const at = choices.findIndex((each) => each === document.activeElement);
    choices[next(at, choices.length)]?.focus();
  };
  return (
    <details ref={menu} class={`menu ${extra}`} onKeyDown={step}>
      <summary class={buttonClass} aria-label={label}>
        {button}
      </summary>
      <div
        class="menu-box"
        onClick={({ target }) => {
          if (target instanceof Element && target.closest(CHOICES)) close(menu.current);
        }}
      >
        {children}
      </div>
    </details>
  );
}

const CHOICES = "a, button";

function choicesOf(menu: HTMLDetailsElement | null): readonly HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>(`.menu-box :is(${CHOICES})`) ?? [])];
}

/** Closes a menu, and focuses its button. */
function close(menu: HTMLDetailsElement | null): void {
  if (!menu?.open) return;
  menu.open = false;
  menu.querySelector("summary")?.focus();
}

/** Closes a menu on Escape, wherever the focus is, and when the focus or a press goes elsewhere. */
function useClosing(menu: { readonly current: HTMLDetailsElement | null }): void {
  useEffect(() => {
    const closeBeside = ({ target }: Event) => {
      if (menu.current && target instanceof Node && !menu.current.contains(target)) menu.current.open = false;
    };
    const closeByKey = ({ key }: KeyboardEvent) => {
      if (key === "Escape") close(menu.current);
    };
    const events = ["pointerdown", "focusin"] as const;
    for (const each of events) document.addEventListener(each, closeBeside);
    document.addEventListener("keydown", closeByKey);
    return () => {
      for (const each of events) document.removeEventListener(each, closeBeside);
      document.removeEventListener("keydown", closeByKey);
    };
  }, []);
}
