import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/**
 * A button that opens a box of choices below it. The box closes with a choice, with Escape, and when a press or the
 * keyboard goes elsewhere.
 */
export function Menu(props: {
  readonly class: string;
  /** The class of the button. */
  readonly buttonClass?: string;
  /** The accessible name of the button, where its content says nothing. */
  readonly label?: string;
  readonly button: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const { class: extra, buttonClass, label, button, children } = props;
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (!menu.current?.open) return;
    menu.current.open = false;
    menu.current.querySelector("summary")?.focus();
  };
  useEffect(() => {
    const closeBeside = ({ target }: Event) => {
      if (menu.current && target instanceof Node && !menu.current.contains(target)) menu.current.open = false;
    };
    const events = ["pointerdown", "focusin"] as const;
    for (const each of events) document.addEventListener(each, closeBeside);
    return () => {
      for (const each of events) document.removeEventListener(each, closeBeside);
    };
  }, []);
  return (
    <details
      ref={menu}
      class={`menu ${extra}`}
      onKeyDown={(event) => {
        if (event.key === "Escape") close();
      }}
    >
      <summary class={buttonClass} aria-label={label}>
        {button}
      </summary>
      <div
        class="menu-box"
        onClick={({ target }) => {
          if (target instanceof Element && target.closest("a, button")) close();
        }}
      >
        {children}
      </div>
    </details>
  );
}
