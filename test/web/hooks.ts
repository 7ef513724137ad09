import { createElement, options, render } from "preact";

/** A hook as its component sees it, without a browser. */
export interface TestHook<T> extends Disposable {
  /** The value of the last call of the hook. */
  readonly current: () => T;
  /** The number of renders so far. */
  readonly draws: () => number;
  /** Calls the hook again, as when its component gets other values. */
  readonly redraw: () => void;
}

/**
 * Calls `hook` in a component that renders nothing: at once, and again whenever its state changes. Effects run after
 * that.
 */
export function useHere<T>(hook: () => T): TestHook<T> {
  let last: { readonly value: T } | undefined;
  let draws = 0;
  const Screen = () => {
    draws++;
    last = { value: hook() };
    return null;
  };
  const former = { debounce: options.debounceRendering, frame: options.requestAnimationFrame };
  options.debounceRendering = (draw) => queueMicrotask(draw);
  options.requestAnimationFrame = (run) => queueMicrotask(run);
  const parent = { nodeType: 1, namespaceURI: "", childNodes: [], firstChild: null } as unknown as Parameters<
    typeof render
  >[1];
  const redraw = () => render(createElement(Screen, null), parent);
  redraw();
  return {
    current() {
      if (!last) throw new Error("nothing was drawn");
      return last.value;
    },
    draws: () => draws,
    redraw,
    [Symbol.dispose]() {
      render(null, parent);
      Object.assign(options, { debounceRendering: former.debounce, requestAnimationFrame: former.frame });
    },
  };
}

/** Lets everything run that waits for no timer. */
export async function untilQuiet(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}
