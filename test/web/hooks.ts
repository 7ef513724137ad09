import { createElement, options, render } from "preact";

/** A hook as a screen that uses it sees it, without a browser. */
export interface TestHook<T> extends Disposable {
  /** What the hook has returned the last time. */
  readonly current: () => T;
  /** How often the screen was drawn so far. */
  readonly draws: () => number;
}

/** Calls `hook` in a screen that draws nothing, again whenever its state changes, and at once; effects run after that. */
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
  render(createElement(Screen, null), parent);
  return {
    current() {
      if (!last) throw new Error("nothing was drawn");
      return last.value;
    },
    draws: () => draws,
    [Symbol.dispose]() {
      render(null, parent);
      Object.assign(options, { debounceRendering: former.debounce, requestAnimationFrame: former.frame });
    },
  };
}

/** Lets everything go on that needs no time. */
export async function untilQuiet(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}
